"""Render a chat template and say where every character came from."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

import jinja2
from msgspec import Struct

from promptlint.templates.conversation import template_messages
from promptlint.templates.deadline import DeadlineExceededError, time_limit
from promptlint.templates.environment import ChatEnvironment
from promptlint.templates.errors import template_error
from promptlint.templates.fallback import approximate_runs
from promptlint.templates.leaf import UNKNOWN, Run
from promptlint.templates.pieces import as_runs
from promptlint.templates.traced_data import trace, untrace
from promptlint.templates.traced_text import pieces_of, plain_text
from promptlint.templates.tracing_environment import TracingEnvironment


class TemplateRender(Struct, frozen=True):
    """What a template printed.

    `text` is what the model's engine would send. `runs` tile it. `exact` says that
    the origin of every character is known; without it, some runs are UNKNOWN.
    """

    text: str
    runs: tuple[Run, ...]
    exact: bool


def render_template(
    source: str,
    *,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None = None,
    arguments: Mapping[str, Any] | None = None,
    special_tokens: Mapping[str, str] | None = None,
    now: datetime,
    add_generation_prompt: bool = True,
    timeout: float = 30.0,
) -> TemplateRender:
    """Render the jinja `source` as transformers does.

    `messages` and `tools` are OpenAI chat data; text in them that is a `TracedText`
    keeps its own leaves. `arguments` are keyword arguments of the template;
    `special_tokens` are variables that count as the template's own text. `now` is what
    `strftime_now` formats. Raises TemplateError, also when it takes longer than `timeout`
    seconds; the time is checked in each round of a loop and each call of a macro, in any
    thread, so a single huge operation (`2 ** 2 ** 40`) is not interrupted.
    """
    traced = _variables(messages, tools, arguments, add_generation_prompt=add_generation_prompt)
    with time_limit(timeout):
        return _render(source, traced, dict(special_tokens or {}), now)


def render_traced(
    source: str,
    *,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None = None,
    arguments: Mapping[str, Any] | None = None,
    special_tokens: Mapping[str, str] | None = None,
    now: datetime,
    timeout: float = 30.0,
) -> TemplateRender:
    """What `render_template` gives where traced data is printed as the data itself.

    Whether it is, the caller has to know or to look. Raises TemplateError.
    """
    traced = _variables(messages, tools, arguments, add_generation_prompt=True)
    template = None
    with time_limit(timeout):
        try:
            template = _compiled(source, tracing=True)
            result = _printed(template, {**(special_tokens or {}), **traced}, now)
        except Exception as error:  # a template is a program: it may raise anything
            raise template_error(error, template) from error
    return _traced_render(result)


def render_text(
    source: str,
    *,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None = None,
    arguments: Mapping[str, Any] | None = None,
    special_tokens: Mapping[str, str] | None = None,
    now: datetime,
    timeout: float = 30.0,
) -> str:
    """The text of `render_template` alone, in a sixth of the time. Raises TemplateError.

    `messages` are those of `plain_messages`, `tools` and `arguments` plain data.
    """
    variables: dict[str, Any] = {"documents": None, **(arguments or {})}
    variables |= {
        "messages": list(messages),
        "tools": None if tools is None else list(tools),
        "add_generation_prompt": True,
    }
    template = None
    with time_limit(timeout):
        try:
            template = _compiled(source, tracing=False)
            return _printed(template, {**(special_tokens or {}), **variables}, now)
        except Exception as error:  # a template is a program: it may raise anything
            raise template_error(error, template) from error


def _render(
    source: str, traced: dict[str, Any], special_tokens: dict[str, Any], now: datetime
) -> TemplateRender:
    try:
        template = _compiled(source, tracing=False)
    except Exception as error:  # besides its own errors, jinja passes on those of Python's compiler
        raise template_error(error) from error

    def render_plain(variables: dict[str, Any]) -> str:
        return _printed(template, special_tokens | variables, now)

    try:
        text = render_plain(untrace(traced))
    except Exception as error:  # a template is a program: it may raise anything
        raise template_error(error, template) from error
    try:
        tracing_template = _compiled(source, tracing=True)
        result = _printed(tracing_template, special_tokens | traced, now)
    except DeadlineExceededError as error:
        raise template_error(error) from error
    except Exception:  # noqa: BLE001 - the plain rendering holds; provenance is then approximate
        result = ""
    if result != text:
        return TemplateRender(text, approximate_runs(text, traced, render_plain), exact=False)
    return _traced_render(result)


def _variables(
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None,
    arguments: Mapping[str, Any] | None,
    *,
    add_generation_prompt: bool,
) -> dict[str, Any]:
    """What the template is given, traced."""
    traced = {name: trace(value, ("arguments", name)) for name, value in (arguments or {}).items()}
    return traced | {
        "messages": template_messages(messages),
        "tools": None if tools is None else trace(list(tools), ("tools",)),
        "documents": traced.get("documents"),
        "add_generation_prompt": add_generation_prompt,
    }


def _traced_render(result: str) -> TemplateRender:
    runs = as_runs(pieces_of(result))
    return TemplateRender(plain_text(result), runs, all(run.leaf != UNKNOWN for run in runs))


def _printed(template: jinja2.Template, variables: dict[str, Any], now: datetime) -> str:
    environment = template.environment
    assert isinstance(environment, ChatEnvironment)
    context = environment.context(template, {"strftime_now": environment.clock(now), **variables})
    return environment.concat(template.root_render_func(context))


@lru_cache(maxsize=128)
def _compiled(source: str, *, tracing: bool) -> jinja2.Template:
    return _environment(tracing=tracing).from_string(source)


@cache
def _environment(*, tracing: bool) -> ChatEnvironment:
    return TracingEnvironment() if tracing else ChatEnvironment()
