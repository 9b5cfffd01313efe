"""What an answer says of its tokens, laid beside the prediction."""

from typing import Any

import pytest
from msgspec.structs import replace

from promptlint.cache.policies import policy
from promptlint.cache.replay import Replay, replay
from promptlint.captures.read import CapturedRequest
from promptlint.models.embedded import embedded_model
from promptlint.models.hosted import hosted_model
from tests.captures.agent import SYSTEM, Agent, Body, capture

VLLM = policy("engine/vllm")
ANTHROPIC = policy("anthropic/messages")


def refreshed() -> list[CapturedRequest]:
    """A session that grows, and whose memory is refreshed before the last request."""
    agent = Agent()
    for _ in range(3):
        agent.send()
        agent.call(result="a line of a file\n" * 40)
    agent.system = f"{SYSTEM}\n- The tests are run with tox."
    agent.send()
    return capture(*agent.sent)


def answered(captured: list[CapturedRequest], turn: int, tokens: int, read: int) -> Replay:
    """The replay on vLLM, with the usage of one answer."""
    usage: Body = {"prompt_tokens": tokens, "prompt_tokens_details": {"cached_tokens": read}}
    item = replace(captured[turn], usage=usage)
    return replay([*captured[:turn], item, *captured[turn + 1 :]], embedded_model(), VLLM)


def test_no_more_can_be_read_than_up_to_a_refresh() -> None:
    captured = refreshed()
    predicted = replay(captured, embedded_model(), VLLM).turns[3].prediction
    tokens, read = predicted.tokens, predicted.read.low
    assert answered(captured, 3, tokens, read).turns[3].disagrees == ()
    assert answered(captured, 3, tokens, tokens - 1).turns[3].disagrees == ("read",)


def test_a_prompt_that_goes_on_may_read_the_answer_as_well() -> None:
    captured = refreshed()
    predicted = replay(captured, embedded_model(), VLLM).turns[2].prediction
    assert answered(captured, 2, predicted.tokens, predicted.read.low + 16).turns[2].agrees
    assert answered(captured, 2, predicted.tokens, 0).turns[2].disagrees == ("read",)


@pytest.mark.parametrize(
    ("times", "more", "disagrees"), [(1, 0, ()), (1, 1, ("tokens",)), (3, 0, ("tokens",))]
)
def test_a_known_tokenizer_counts_exactly(
    times: int, more: int, disagrees: tuple[str, ...]
) -> None:
    captured = refreshed()
    tokens = replay(captured, embedded_model(), VLLM).turns[0].prediction.tokens
    assert answered(captured, 0, tokens * times + more, 0).turns[0].disagrees == disagrees


def test_an_answer_without_reads_agrees_with_nothing_but_its_length_can_be_wrong() -> None:
    captured = refreshed()[:1]
    tokens = replay(captured, embedded_model(), VLLM).turns[0].prediction.tokens
    for said, agrees in ((tokens, None), (tokens * 3, False)):
        item = replace(captured[0], usage={"prompt_tokens": said})
        assert replay([item], embedded_model(), VLLM).turns[0].agrees is agrees


def anthropic_turn(usage: Body) -> tuple[str, ...] | None:
    """What disagrees in the second request: 1,854 tokens are read, 130 written."""
    first: Body = {
        "model": "claude-opus-5-5",
        "system": SYSTEM * 50,
        "messages": [{"role": "user", "content": "Hi."}],
        "cache_control": {"type": "ephemeral"},
    }
    more = [{"role": "assistant", "content": "Hi."}, {"role": "user", "content": "word " * 125}]
    captured = capture(first, {**first, "messages": [*first["messages"], *more]})
    item = replace(captured[1], usage=usage)
    turn = replay([captured[0], item], hosted_model("anthropic"), ANTHROPIC).turns[1]
    assert (turn.prediction.tokens, turn.prediction.read.low) == (1984, 1854)
    return turn.disagrees


@pytest.mark.parametrize(
    ("plain", "read", "write", "disagrees"),
    [
        (0, 1854, 130, ()),
        (3, 2054, 144, ()),
        (130, 1854, 0, ("write",)),
        (1854, 0, 130, ("read",)),
        (0, 0, 1984, ("read", "write")),
        (130, 1854, None, ()),
        (4000, 1854, 130, ("tokens", "read")),
    ],
)
def test_what_was_written_and_how_long_the_prompt_was_count_too(
    plain: int, read: int, write: int | None, disagrees: tuple[str, ...]
) -> None:
    usage: dict[str, Any] = {"input_tokens": plain, "cache_read_input_tokens": read}
    written = {} if write is None else {"cache_creation_input_tokens": write}
    assert anthropic_turn({**usage, **written}) == disagrees


def test_an_image_has_no_length_that_could_be_compared() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    body = {"model": "m", "messages": [{"role": "user", "content": [image]}]}
    item = replace(capture(body)[0], usage={"prompt_tokens": 900})
    assert replay([item], embedded_model(), VLLM).turns[0].agrees is None
