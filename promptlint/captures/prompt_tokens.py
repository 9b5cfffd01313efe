"""Count the tokens of prompts that go on from each other, and where their blocks end."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.captures.block_tokens import BlockTokens, Pieces, pieces_between
from promptlint.captures.blocks import Blocks, block_extents, content_blocks, last_block_end
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.incremental import IncrementalTokens
from promptlint.captures.prompt import Prompt
from promptlint.models.model import BatchTokenizer, Encoding, Model
from promptlint.models.tokens import Tokens, rank

if TYPE_CHECKING:
    from concurrent.futures import Executor


class PromptTokens:
    """Gives prompts their tokens and blocks: only what is new is tokenised.

    A tokenizer that takes many texts at once works in `executor` meanwhile.
    """

    def __init__(self, model: Model, executor: "Executor") -> None:
        self._tokenizer = model.tokenizer
        self._executor = executor
        self._incremental = IncrementalTokens(model.tokenizer)
        self._pieces = BlockTokens() if model.template is None else None

    def begin(self, prompts: Sequence[Prompt]) -> Callable[[], None]:
        """Begin to count prompts, in the order in which they were printed.

        What comes back is called, in the same order, to wait for the tokens and write them down.
        """
        if self._pieces is None:
            return self._begin_texts(prompts)
        return self._begin_pieces(self._pieces, prompts)

    def _begin_texts(self, prompts: Sequence[Prompt]) -> Callable[[], None]:
        cuts = [self._incremental.cut(prompt.rendered.text) for prompt in prompts]
        tokens = self._tokens([cut.tail for cut in cuts])

        def finish() -> None:
            for prompt, cut, tail in zip(prompts, cuts, tokens(), strict=True):
                _finish(prompt, self._incremental.whole(cut, tail))

        return finish

    def _begin_pieces(self, pieces: BlockTokens, prompts: Sequence[Prompt]) -> Callable[[], None]:
        new = list(map(_new_pieces, prompts))
        texts = pieces.unknown(new)
        tokens = self._tokens(texts)

        def finish() -> None:
            pieces.learn(texts, tokens())
            for prompt, cut in zip(prompts, new, strict=True):
                _finish(prompt, _behind_known(prompt, pieces.put_together(cut)))

        return finish

    def _tokens(self, texts: Sequence[str]) -> Callable[[], Iterable[Encoding]]:
        """The tokens of each text, to be called for."""
        tokenizer = self._tokenizer
        if isinstance(tokenizer, BatchTokenizer):
            return self._executor.submit(tokenizer.encode_all, texts).result
        return lambda: map(tokenizer.encode, texts)


def _new_pieces(prompt: Prompt) -> Pieces:
    """What a prompt has behind the blocks that it goes on from, cut at the ends of its own."""
    ends = (end for _, end in prompt.extents.values())
    return pieces_between(prompt.rendered.text, _known_end(prompt), ends)


def _behind_known(prompt: Prompt, new: Encoding) -> Encoding:
    """The tokens of the blocks that it goes on from, then its own."""
    if prompt.after is None:
        return new
    known = prompt.after.rendered
    kept = rank(known.token_starts, _known_end(prompt))
    return Encoding(
        Tokens.of(known.token_ids)[:kept] + new.ids,
        Tokens.of(known.token_starts)[:kept] + new.starts,
    )


def _known_end(prompt: Prompt) -> int:
    """The character behind the last block that it goes on from.

    What follows that block is cut together with what comes.
    """
    return last_block_end(prompt.after.request, prompt.after.rendered.runs) if prompt.after else 0


def _finish(prompt: Prompt, encoding: Encoding) -> None:
    """Write down the tokens and the blocks. The prompt that it goes on from is let go."""
    prompt.rendered = replace(prompt.rendered, token_ids=encoding.ids, token_starts=encoding.starts)
    prompt.blocks = _blocks(prompt)
    prompt.after = None


def _blocks(prompt: Prompt) -> Blocks:
    """The blocks of what it goes on from, and its own behind them, where these stand apart."""
    before, extents = _kept_blocks(prompt), prompt.extents
    if before is None:
        before, extents = Blocks(), block_extents(prompt.request, prompt.rendered.runs)
    new = content_blocks(prompt.request, extents, prompt.rendered.token_starts)
    return before.followed_by(new)


def _kept_blocks(prompt: Prompt) -> Blocks | None:
    """The blocks that a prompt has from another one; None if they do not end at the same tokens."""
    if prompt.after is None:
        return Blocks()
    before = prompt.after.blocks.before(prompt.kept)
    same = common_prefix(prompt.after.rendered.token_ids, prompt.rendered.token_ids)
    return before if before and (not before.ends or before.ends[-1] <= same) else None
