"""A chat template for a conversation that grows: only what is new is rendered.

A template prints a conversation in loops over its messages. All that a round of such a loop
looks at is watched: messages, the loop's own state, the attributes of namespaces, the
variables that stand around it. A later rendering starts a loop where a round would look at
something that has changed, and takes the text of the rounds before it from the earlier one.
What stands around the loops is rendered every time. Nothing is guessed: where a template does
what cannot be watched, all is rendered.
"""

from promptlint.templates.resuming.growing_template import GrowingTemplate

__all__ = ["GrowingTemplate"]
