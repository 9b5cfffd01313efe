"""Render requests that go on from earlier ones: only what is new is rendered and tokenised.

Some requests are printed, then all of their tokens are counted while the next ones are printed.
A tokenizer that finds its tables in the processor's cache, and cuts several texts at once, takes
a fraction of the time.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct, field

from promptlint.captures.prompt import Prompt
from promptlint.captures.prompt_texts import PromptTexts
from promptlint.captures.prompt_tokens import PromptTokens
from promptlint.models.model import Model
from promptlint.request import Request

_BATCH = 16
_BATCH_CHARACTERS = 1 << 24
"""The texts of a batch are all kept until it is counted."""


class _Batch(Struct):
    """Printed prompts. `fault` is why there is none behind the last of all."""

    prompts: list[Prompt] = field(default_factory=list)
    fault: Exception | None = None


def render_growing(requests: Iterable[tuple[Request, datetime]], model: Model) -> Iterator[Prompt]:
    """The prompts of requests at their times, as `render` makes each of them.

    Requests are taken some time before their prompts come. Raises TemplateError in the place of
    the prompt that the template refuses, and what taking a request raises in its place.
    """
    from concurrent.futures import ThreadPoolExecutor

    texts, batch = PromptTexts(model), _Batch()
    with ThreadPoolExecutor(max_workers=1) as executor:
        tokens = PromptTokens(model, executor)
        finish = tokens.begin(batch.prompts)
        for printed in _batches(texts.of(request, now) for request, now in requests):
            finish_printed = tokens.begin(printed.prompts)
            finish()
            yield from batch.prompts
            batch, finish = printed, finish_printed
        finish()
        yield from batch.prompts
    if batch.fault:
        raise batch.fault


def _batches(prompts: Iterable[Prompt]) -> Iterator[_Batch]:
    """The prompts in batches. The last one ends where one cannot be made."""
    batch = _Batch()
    characters = 0
    try:
        for prompt in prompts:
            batch.prompts.append(prompt)
            characters += len(prompt.rendered.text)
            if len(batch.prompts) == _BATCH or characters > _BATCH_CHARACTERS:
                yield batch
                batch, characters = _Batch(), 0
    except Exception as error:  # noqa: BLE001 - it is raised once those before it have come
        batch.fault = error
    yield batch
