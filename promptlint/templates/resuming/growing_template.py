"""The texts of one template for conversations that go on from each other."""

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from types import CodeType
from typing import Any

import jinja2

from promptlint.same_objects import same_objects
from promptlint.templates.deadline import time_limit
from promptlint.templates.errors import TemplateError, template_error
from promptlint.templates.rendering import render_text
from promptlint.templates.resuming.message_view import MessageView
from promptlint.templates.resuming.resuming_environment import ResumingEnvironment
from promptlint.templates.resuming.watch import Earlier, Watch

_REMEMBERED = 8


@lru_cache(maxsize=32)
def _compiled(source: str) -> CodeType:
    return ResumingEnvironment().compile(source)


class GrowingTemplate:
    """Renders one template again and again. Its texts are those of `render_text`."""

    def __init__(self, source: str, special_tokens: Mapping[str, str]) -> None:
        self._source = source
        self._special_tokens = special_tokens
        self._environment = ResumingEnvironment()
        self._template: jinja2.Template | None = None
        self._is_watched = True
        self._earlier: deque[Earlier] = deque(maxlen=_REMEMBERED)

    def text(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None,
        arguments: Mapping[str, Any],
        now: datetime,
        timeout: float = 30.0,
    ) -> str:
        """The text for plain data. A message that is the same object is the same message.

        Raises TemplateError.
        """
        if not self._is_watched:
            return self._whole(messages, tools, arguments, now, timeout)
        asked = Earlier(messages, tools, arguments)
        earlier, same = self._nearest(asked)
        watch = Watch(messages, tools, earlier, same)
        try:
            with time_limit(timeout):
                self._print(watch, arguments, now)
        except Exception as error:  # noqa: BLE001 - a template is a program: it may raise anything
            return self._refused(asked, watch, earlier, error, now, timeout)
        asked.text, asked.loops = watch.printed(), watch.loops
        self._earlier.append(asked)
        return asked.text

    def _print(self, watch: Watch, arguments: Mapping[str, Any], now: datetime) -> None:
        self._environment.watch = watch
        if self._template is None:
            environment = self._environment
            code = _compiled(self._source)
            self._template = jinja2.Template.from_code(environment, code, environment.globals)
        variables = {
            **self._special_tokens,
            "documents": None,
            **arguments,
            "messages": MessageView(watch),
            "tools": watch.tools,
            "add_generation_prompt": True,
            "strftime_now": self._environment.clock(now),
        }
        context = self._environment.context(self._template, variables)
        for piece in self._template.root_render_func(context):
            watch.print(piece)

    def _refused(
        self,
        asked: Earlier,
        watch: Watch,
        earlier: Earlier,
        error: Exception,
        now: datetime,
        timeout: float,
    ) -> str:
        """The text, or the template's own error, after one that watching may have caused."""
        asked.text, asked.loops = watch.printed(), watch.loops
        refusal = template_error(error, self._template)
        asked.refused = str(refusal)
        if asked.refused != earlier.refused:
            self._is_watched = False
            try:
                return self._whole(asked.messages, asked.tools, asked.arguments, now, timeout)
            except TemplateError as whole:
                if str(whole) != asked.refused:
                    raise
            self._is_watched = True
        self._earlier.append(asked)
        raise refusal from error

    def _whole(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None,
        arguments: Mapping[str, Any],
        now: datetime,
        timeout: float,
    ) -> str:
        return render_text(
            self._source,
            messages=messages,
            tools=tools,
            arguments=arguments,
            special_tokens=self._special_tokens,
            now=now,
            timeout=timeout,
        )

    def _nearest(self, asked: Earlier) -> tuple[Earlier, int]:
        """The earlier rendering with most messages in common, and their number.

        It is forgotten where the new one goes on from all of it.
        """
        found = [(_same_start(asked, one), one) for one in self._earlier]
        same, nearest = max(found, key=lambda pair: pair[0], default=(0, None))
        if nearest is None or same == 0:
            return Earlier((), None, {}), 0
        if same == len(nearest.messages):
            self._earlier.remove(nearest)
        return nearest, same


def _same_start(one: Earlier, other: Earlier) -> int:
    """How many messages at the start are the same objects, where all around is the same."""
    tools, others = one.tools or (), other.tools or ()
    same_tools = len(tools) == len(others) == same_objects(tools, others)
    if not same_tools or (one.tools is None) != (other.tools is None):
        return 0
    if repr(one.arguments) != repr(other.arguments):
        return 0
    return same_objects(one.messages, other.messages)
