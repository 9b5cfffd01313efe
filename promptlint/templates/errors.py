"""Why a template could not be rendered."""

import traceback

import jinja2

from promptlint.secrets import masked
from promptlint.templates.deadline import DeadlineExceededError
from promptlint.templates.environment import RaisedByTemplateError

_LONGEST = 500


class TemplateError(Exception):
    """A template that cannot be rendered with these inputs. The message is one line."""


def template_error(error: Exception, template: jinja2.Template | None = None) -> TemplateError:
    """The TemplateError for what compiling or rendering `template` raised."""
    line = error.lineno if isinstance(error, jinja2.TemplateSyntaxError) else None
    if template is not None:
        line = _line(error, template)
    place = "" if line is None else f"line {line}: "
    return TemplateError(_one_line(f"chat template: {place}{_cause(error)}"))


def _cause(error: Exception) -> str:
    match error:
        case RaisedByTemplateError():
            return f"it refuses this conversation: {error}"
        case jinja2.TemplateSyntaxError():
            return f"syntax error: {error.message}"
        case jinja2.exceptions.SecurityError():
            return f"the sandbox forbids it: {error}"
        case jinja2.UndefinedError():
            return str(error)
        case DeadlineExceededError():
            return "it did not finish within the time limit"
        case RecursionError():
            return "it calls itself without end"
        case _:
            return f"{type(error).__name__}: {error}"


def _line(error: Exception, template: jinja2.Template) -> int | None:
    """The innermost line of the template that was being rendered."""
    lines = [
        template.get_corresponding_lineno(line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__jinja_template__") is template
    ]
    return lines[-1] if lines else None


def _one_line(text: str) -> str:
    line = masked(" ".join("".join(c if c.isprintable() else " " for c in text).split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
