"""Chains of requests with published counts, to the token."""

from msgspec.structs import replace

from promptlint.cache.policies import policy
from promptlint.cache.policy import Policy
from promptlint.cache.predict import Written, new_store, predict
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import Mark, TokenRequest

TOKENS = tuple(range(20_000))


def reads(rules: Policy, *lengths: int) -> list[int | list[int]]:
    """What requests read that each are a prefix of one long prompt."""
    store = new_store(rules)
    return [
        predict(rules, store, TokenRequest(TOKENS[:length])).read.as_json() for length in lengths
    ]


def test_kimi_coding_endpoint_steps_by_256() -> None:
    kimi = policy("moonshot/kimi-coding-endpoint")
    assert reads(kimi, 11250, 11272, 11294, 11316, 11338) == [0, 11008, 11264, 11264, 11264]
    assert reads(kimi, 847, 17394, 17416) == [0, 768, 17152]
    assert reads(kimi, 201, 222) == [0, 0]
    assert reads(kimi, 361, 380) == [0, 256]


def test_kimi_reads_an_identical_request_whole() -> None:
    assert reads(policy("moonshot/kimi-coding-endpoint"), 11250, 11250) == [0, 11250]


def test_openai_before_5_6_steps_by_128_from_1024() -> None:
    openai = policy("openai/pre-5.6")
    assert reads(openai, 2006, 2006) == [0, 1920]
    assert reads(openai, 1023, 1023) == [0, 0]
    assert reads(openai, 1024, 1024) == [0, 1024]


def test_vllm_on_a_hybrid_model_finds_whole_blocks_of_528() -> None:
    hybrid = replace(policy("engine/vllm"), block=528)
    for length, expected in ((500, 0), (552, 528), (979, 528)):
        assert reads(hybrid, length, length) == [0, expected]


def test_vllm_documented_example_with_blocks_of_4() -> None:
    vllm = replace(policy("engine/vllm"), block=4)
    store = new_store(vllm)
    predict(vllm, store, TokenRequest(TOKENS[:15]))
    other = (*TOKENS[:10], 77001, 77002, 77003, 77004)
    assert predict(vllm, store, TokenRequest(other)).read == TokenRange.of(8)


def test_vllm_computes_the_last_token_of_a_repeated_prompt() -> None:
    assert reads(policy("engine/vllm"), 32, 32) == [0, 16]


def test_deepseek_before_v4_reads_multiples_of_64() -> None:
    old = policy("deepseek/before-v4")
    assert reads(old, 16_800, 17_000, 18_660, 18_700) == [0, 16_768, 16_960, 18_624]


def test_deepseek_v4_finds_whole_units_only() -> None:
    v4 = policy("deepseek/v4")
    store = new_store(v4)
    shared, b, c = TOKENS[:500], TOKENS[500:600], TOKENS[600:700]
    predict(v4, store, TokenRequest(shared + b))
    assert predict(v4, store, TokenRequest(shared + c)).read == TokenRange(0, 500)
    assert predict(v4, store, TokenRequest(shared + b + c)).read == TokenRange.of(600)


def test_deepseek_v4_stores_the_end_of_the_answer() -> None:
    v4 = policy("deepseek/v4")
    store = new_store(v4)
    predict(v4, store, TokenRequest(TOKENS[:500], generated=TOKENS[500:540]))
    assert predict(v4, store, TokenRequest(TOKENS[:700])).read == TokenRange.of(540)


def test_openai_5_6_is_a_range_unless_only_marks_count() -> None:
    openai = policy("openai/5.6+")
    first = TOKENS[:3000]
    second = TOKENS[:2500] + TOKENS[4000:5000]
    marks = (Mark(2000),)
    ends = (1500, 2000, 2500)

    implicit = new_store(openai)
    predict(openai, implicit, TokenRequest(first, (*ends, 3000), marks))
    found = predict(openai, implicit, TokenRequest(second, (*ends, 3500), marks))
    assert found.read == TokenRange(2000, 2500)
    assert found.write == TokenRange(1000, 1500)

    explicit = new_store(openai)
    predict(openai, explicit, TokenRequest(first, (*ends, 3000), marks, automatic=False))
    found = predict(openai, explicit, TokenRequest(second, (*ends, 3500), marks, automatic=False))
    assert found.read == TokenRange.of(2000)
    assert (found.write, found.uncached) == (TokenRange.of(0), TokenRange.of(1500))


def test_openai_5_6_without_a_mark_in_explicit_mode_caches_nothing() -> None:
    openai = policy("openai/5.6+")
    store = new_store(openai)
    for _ in range(2):
        turn = predict(openai, store, TokenRequest(TOKENS[:3000], automatic=False))
        assert (turn.read, turn.write) == (TokenRange.of(0), TokenRange.of(0))


def test_anthropic_finds_nothing_more_than_20_blocks_back() -> None:
    anthropic = policy("anthropic/messages").for_model("claude-opus-5-5")
    for blocks, expected in ((19, 2000), (20, 0)):
        store = new_store(anthropic)
        predict(anthropic, store, TokenRequest(TOKENS[:2000], (2000,), automatic=True))
        ends = tuple(2000 + 10 * block for block in range(blocks + 1))
        grown = TokenRequest(TOKENS[: ends[-1]], ends, automatic=True)
        assert predict(anthropic, store, grown).read == TokenRange.of(expected)


def test_anthropic_entries_live_five_minutes_after_the_last_read() -> None:
    anthropic = policy("anthropic/messages").for_model("claude-opus-5-5")
    store = new_store(anthropic)
    times = (0, 300, 600, 901)
    found = [
        predict(anthropic, store, TokenRequest(TOKENS[:2000], automatic=True, time=time)).read
        for time in times
    ]
    assert [tokens.low for tokens in found] == [0, 2000, 2000, 0]


def test_an_entry_of_an_hour_outlives_one_of_five_minutes() -> None:
    anthropic = policy("anthropic/messages").for_model("claude-opus-5-5")
    store = new_store(anthropic)
    marks = (Mark(1000, "1h"), Mark(2000, "5m"))
    first = predict(anthropic, store, TokenRequest(TOKENS[:2000], (1000, 2000), marks))
    assert first.writes == (
        Written(TokenRange.of(1000), "1h"),
        Written(TokenRange.of(1000), "5m"),
    )
    later = TokenRequest(TOKENS[:2000], (1000, 2000), marks, time=3000)
    assert predict(anthropic, store, later).read == TokenRange.of(1000)


def test_what_is_stored_automatically_lives_as_long_as_the_request_says() -> None:
    anthropic = policy("anthropic/messages").for_model("claude-opus-5-5")
    store = new_store(anthropic)
    first, later = (
        predict(
            anthropic, store, TokenRequest(TOKENS[:2000], automatic=True, lifetime="1h", time=t)
        )
        for t in (0, 3000)
    )
    assert first.writes == (Written(TokenRange.of(2000), "1h"),)
    assert (later.read, later.writes) == (TokenRange.of(2000), ())


def test_an_old_entry_of_a_day_is_found_behind_one_of_five_minutes() -> None:
    openai = policy("openai/pre-5.6")
    store = new_store(openai)
    predict(openai, store, TokenRequest(TOKENS[:4096], lifetime="24h"))
    predict(openai, store, TokenRequest(TOKENS[:2048], time=1000))
    later = TokenRequest(TOKENS[:4096], time=6000)
    assert predict(openai, store, later).read == TokenRange(0, 4096)


def test_openai_may_or_may_not_keep_an_idle_entry_for_an_hour() -> None:
    openai = policy("openai/pre-5.6")
    for age, expected in ((300, [1920, 1920]), (1800, [0, 1920]), (3601, [0, 0])):
        store = new_store(openai)
        predict(openai, store, TokenRequest(TOKENS[:2006]))
        found = predict(openai, store, TokenRequest(TOKENS[:2006], time=age)).read
        assert [found.low, found.high] == expected


def test_a_provider_without_a_promise_gets_a_range() -> None:
    for name in ("google/gemini-implicit", "qwen/dashscope-implicit", "zhipu/glm", "mistral"):
        rules = policy(name)
        assert reads(rules, 6000, 7000)[1] == [0, 6000], name


def test_a_named_cache_cannot_be_predicted() -> None:
    assert reads(policy("google/gemini-explicit"), 5000) == [[0, 5000]]


def test_another_namespace_is_another_cache() -> None:
    for name in ("engine/vllm", "anthropic/messages", "engine/mlx_lm.server"):
        rules = policy(name)
        store = new_store(rules)
        prompt = TokenRequest(TOKENS[:4000], automatic=True, namespace=("model-a",))
        predict(rules, store, prompt)
        other = replace(prompt, namespace=("model-b",))
        assert predict(rules, store, other).read == TokenRange.of(0), name
        assert predict(rules, store, prompt).read.low > 3000, name
