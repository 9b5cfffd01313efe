"""Chat templates: rendering them and saying where every character came from."""

from promptlint.templates.conversation import plain_messages
from promptlint.templates.errors import TemplateError
from promptlint.templates.leaf import UNKNOWN, Leaf, Run
from promptlint.templates.rendering import TemplateRender, render_template, render_traced
from promptlint.templates.resuming import GrowingTemplate
from promptlint.templates.traced_data import trace
from promptlint.templates.traced_text import TracedText

__all__ = [
    "UNKNOWN",
    "GrowingTemplate",
    "Leaf",
    "Run",
    "TemplateError",
    "TemplateRender",
    "TracedText",
    "plain_messages",
    "render_template",
    "render_traced",
    "trace",
]
