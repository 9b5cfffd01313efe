"""What may follow a user's own request: a tool call, an answer, the next user message."""

from promptlint.models.model import Model
from promptlint.probes.conversation import Shape, assistant, continued, shapes, user
from promptlint.probes.printing import accepted, printed
from promptlint.request import Message, Request


def continued_session(request: Request, model: Model) -> tuple[Request, ...]:
    """The request, then two more: after a call of its first tool, and after the next user message.

    The model's messages carry reasoning where the template takes it. A template that takes
    none of this has no history to rewrite: the request then stands alone. Raises
    TemplateError where even that is refused.
    """
    printed(request, model)
    for shape in shapes():
        session = continued(request, shape, _exchanges(request, shape))
        if accepted(session[-1], model) is not None:
            return session
    return (request,)


def _exchanges(request: Request, shape: Shape) -> tuple[tuple[Message, Message | str], ...]:
    answer = assistant(shape, 2, "Done."), user("Go on.")
    if not request.tools:
        return (answer,)
    return (assistant(shape, 1, "I look.", request.tools[0].name), "Nothing to be seen."), answer
