"""Digests of prefixes are equal exactly where the prefixes are, however they were grown."""

from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.cache.stores.digests import PrefixDigests
from promptlint.models.tokens import NO_TOKENS, Tokens

pieces = st.tuples(st.integers(0, 1), st.integers(1, 150))
steps = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 400), pieces), max_size=12)


@settings(deadline=None)
@given(steps)
def test_a_grown_chain_is_that_of_the_whole_prompt(
    drawn: list[tuple[int, int, tuple[int, int]]],
) -> None:
    digests = PrefixDigests()
    prompts: list[Tokens] = [NO_TOKENS]
    seen: dict[bytes, tuple[int, ...]] = {}
    for number, kept, (token, length) in drawn:
        prompt = prompts[number % len(prompts)][:kept] + (token,) * length
        prompts.append(prompt)
        grown, whole = digests.of(prompt), PrefixDigests().of(prompt)
        for end in range(len(prompt) + 1):
            assert grown.digest(end) == whole.digest(end)
            assert seen.setdefault(grown.digest(end), tuple(prompt[:end])) == prompt[:end]
