"""Render probes: characters only, since tokens are counted just for what is lost."""

from collections.abc import Mapping
from datetime import datetime

import jinja2
from msgspec.structs import replace

from promptlint.models.model import Encoding, Model
from promptlint.probes.switch import undeclared
from promptlint.render import Rendered, render
from promptlint.request import Json, Request
from promptlint.templates import TemplateError

NOW = datetime(2037, 11, 23, 21, 46, 58)
"""The time that the templates' own clock shows. No template has it in its text, and one more
second, minute, hour or day changes no digit but the last."""


class _NoTokens:
    """Stands for a tokenizer where no tokens are asked for."""

    def encode(self, text: str) -> Encoding:  # noqa: ARG002 - the protocol's signature
        """No tokens at all."""
        return Encoding((), ())


def uncounted(model: Model) -> Model:
    """The model without its tokenizer: its renderings have no tokens."""
    return replace(model, tokenizer=_NoTokens())


def with_special_tokens(model: Model) -> Model:
    """The model with a stand-in for each special token that its template alone does not know.

    A template that comes without its tokenizer prints `<bos>` for its `bos_token`.
    """
    names = undeclared(model.template or "")
    stands_in = {
        name: f"<{name.removesuffix('_token')}>" for name in names if name.endswith("_token")
    }
    return replace(model, special_tokens={**stands_in, **model.special_tokens})


def printed(
    request: Request, model: Model, arguments: Mapping[str, Json] | None = None
) -> Rendered:
    """What the model's template prints at `NOW`, with these keyword arguments besides.

    Raises TemplateError.
    """
    return render(with_arguments(request, arguments or {}), model, NOW)


def with_arguments(request: Request, arguments: Mapping[str, Json]) -> Request:
    """The request with keyword arguments for the template, which win over its own."""
    own = request.parameters.get("chat_template_kwargs")
    both = {**(own if isinstance(own, dict) else {}), **arguments}
    if not both:
        return request
    return replace(request, parameters={**request.parameters, "chat_template_kwargs": both})


def sent_arguments(request: Request) -> dict[str, Json]:
    """The keyword arguments that a request hands to the template, by name."""
    arguments = dict(request.parameters)
    for_template = arguments.pop("chat_template_kwargs", None)
    return arguments | (for_template if isinstance(for_template, dict) else {})


def accepted(
    request: Request, model: Model, arguments: Mapping[str, Json] | None = None
) -> Rendered | None:
    """What the template prints, or None where it refuses the request."""
    try:
        return printed(request, model, arguments)
    except TemplateError:
        return None


def is_final(error: TemplateError) -> bool:
    """Whether no other conversation can cure the error: transformers itself cannot render it."""
    return isinstance(error.__cause__, jinja2.exceptions.SecurityError | jinja2.TemplateSyntaxError)
