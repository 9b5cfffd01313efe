"""Every recorded row of real engines, predicted exactly."""

import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from promptlint.cache.policies import policy
from promptlint.cache.policy import Policy
from promptlint.cache.predict import new_store, predict
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import Segments, TokenRequest
from promptlint.cache.token_requests import UNSEEN

DATA = Path(__file__).parent.parent / "data" / "engines"
USER_START = (151644, 872, 198)
"""`<|im_start|>user\\n` in Qwen3's vocabulary."""


@cache
def data(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(gzip.decompress((DATA / name).read_bytes()))
    return loaded


def user_starts(tokens: tuple[int, ...]) -> tuple[int, ...]:
    width = len(USER_START)
    return tuple(i for i in range(len(tokens)) if tokens[i : i + width] == USER_START)


def token_requests(run: dict[str, Any]) -> list[TokenRequest]:
    prompts = data("prompt_ids.json.gz")[run["set"]]
    return [
        TokenRequest(
            tuple(ids),
            generated=tuple(row["generated"]),
            segments=Segments(
                system_end=row.get("sys_end", 0),
                tail_start=row.get("tail_start"),
                user_starts=user_starts(tuple(ids)),
                user_last=row.get("user_last", False),
            ),
        )
        for ids, row in zip(prompts, run["rows"], strict=True)
    ]


def llama_slots(variant: str) -> Policy:
    slots = int(variant.split(maxsplit=1)[0])
    return policy("engine/llama.cpp-server").with_settings(
        slots=slots, ram="cache_ram 0" not in variant, unified="apart" not in variant
    )


def llama_window(variant: str) -> Policy:
    rules = policy("engine/llama.cpp-server-window")
    return rules.with_settings(full_window="swa_full" in variant)


def block(name: str) -> Callable[[str], Policy]:
    """The policy with the block that stands in the variant, 16 by default."""

    def rules(variant: str) -> Policy:
        words = variant.split()
        given = words[1] if words[0] in ("block", "page") else "16"
        return replace(policy(name), block=int(given))

    return rules


@pytest.mark.parametrize(
    ("engine", "rules", "rows"),
    [
        ("mlx_lm_dense", lambda _: policy("engine/mlx_lm.server"), 142),
        ("mlx_lm_hybrid", lambda _: policy("engine/mlx_lm.server-hybrid"), 52),
        ("llama_cpp_dense", llama_slots, 482),
        ("llama_cpp_swa", llama_window, 62),
        ("vllm_cpu", block("engine/vllm"), 52),
        ("vllm_library", block("engine/vllm"), 52),
        ("sglang_radix", block("engine/sglang"), 52),
    ],
)
def test_every_recorded_row_is_predicted(
    engine: str, rules: Callable[[str], Policy], rows: int
) -> None:
    predicted = []
    measured = []
    for run in data("runs.json.gz")[engine]["runs"]:
        chosen = rules(run["variant"])
        store = new_store(chosen)
        predicted += [predict(chosen, store, request).read for request in token_requests(run)]
        measured += [TokenRange.of(row["cached"]) for row in run["rows"]]
    assert predicted == measured
    assert len(predicted) == rows


@pytest.mark.parametrize(
    ("engine", "rules", "sets"),
    [
        (
            "mlx_lm_dense",
            lambda _: policy("engine/mlx_lm.server"),
            ("main", "branches", "rotation"),
        ),
        ("mlx_lm_hybrid", lambda _: policy("engine/mlx_lm.server-hybrid"), ("main",)),
        ("llama_cpp_dense", llama_slots, ("main", "seed")),
        ("llama_cpp_swa", llama_window, ("main", "seed")),
    ],
)
def test_rows_are_predicted_without_the_tokens_of_the_answers(
    engine: str, rules: Callable[[str], Policy], sets: tuple[str, ...]
) -> None:
    """As a capture has them: where no answer comes back word for word, no row needs them."""
    for run in data("runs.json.gz")[engine]["runs"]:
        if run["set"] in sets:
            chosen = rules(run["variant"])
            store = new_store(chosen)
            asked = [replace(request, generated=UNSEEN) for request in token_requests(run)]
            predicted = [predict(chosen, store, request).read.low for request in asked]
            assert predicted == [row["cached"] for row in run["rows"]], run["variant"]


def test_the_longest_common_prefix_alone_is_wrong_for_hybrid_models() -> None:
    """The recorded rows do need the engine's own rule: the plain one misses 12 of 26."""
    dense = policy("engine/mlx_lm.server")
    run = data("runs.json.gz")["mlx_lm_hybrid"]["runs"][0]
    store = new_store(dense)
    plain = [predict(dense, store, request).read.low for request in token_requests(run)]
    right = sum(p == row["cached"] for p, row in zip(plain, run["rows"], strict=True))
    assert (right, len(run["rows"])) == (14, 26)
