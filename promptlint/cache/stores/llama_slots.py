"""The slots and the memory cache of llama.cpp's server.

Source: llama.cpp b11434, `get_available_slot` in tools/server/server-context.cpp and
`server_prompt_cache` in server-task.cpp. One live prompt a slot; a slot that would lose
half of its tokens is saved to memory first, and the best saved state is moved out of it.
"""

from copy import deepcopy

from msgspec import Struct, field

from promptlint.cache.policy import Policy
from promptlint.cache.stores.llama_window import Window, window_of
from promptlint.cache.stores.prefix_tree import stored_answer
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import TokenRequest
from promptlint.captures.common_prefix import common_prefix
from promptlint.models.tokens import NO_TOKENS, Tokens

_KEEP_AT_LEAST = 0.5
_LOAD_AT_LEAST = 0.25


class _State(Struct):
    """What one slot holds: its tokens, and what is left of them in a sliding window."""

    window: Window
    tokens: Tokens = NO_TOKENS


class _Slot(Struct):
    state: _State
    last_used: int = -1


class _Memory(Struct):
    """The saved states, oldest first."""

    states: list[_State] = field(default_factory=list)

    def save(self, state: _State) -> None:
        """Keep a copy, unless a longer state contains it; shorter ones that it contains go."""
        if not state.tokens or any(_contains(s.tokens, state.tokens) for s in self.states):
            return
        self.states = [s for s in self.states if not _contains(state.tokens, s.tokens)]
        self.states.append(_State(state.window.saved(), state.tokens))

    def load(self, current: _State, prompt: Tokens) -> _State:
        """The saved state that serves a prompt better than the current one, moved out, or that."""
        best, keeps, serves = current, _kept(current.tokens, prompt), _served(current, prompt)
        for state in self.states:
            state_keeps, state_serves = _kept(state.tokens, prompt), _served(state, prompt)
            if state_keeps >= _LOAD_AT_LEAST and state_keeps > keeps and state_serves > serves:
                best, keeps, serves = state, state_keeps, state_serves
        if best is not current:
            self.states.remove(best)
        return best


class LlamaSlots:
    """The store of llama.cpp's server."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._similarity = float(policy.settings["similarity"])
        self._slots = [self._empty_slot() for _ in range(int(policy.settings["slots"]))]
        self._memory = _Memory() if policy.settings["ram"] else None
        self._clock = 0

    def find(self, request: TokenRequest) -> TokenRange:
        """The tokens that the chosen slot would keep: choosing one moves states about."""
        return deepcopy(self).take(request)

    def take(self, request: TokenRequest) -> TokenRange:
        """The tokens that the chosen slot keeps; then it holds the prompt and its answer."""
        prompt = Tokens.of(request.token_ids)
        slot, keeps = self._choose(prompt)
        if self._memory and not keeps:
            self._memory.save(slot.state)
            slot.state = self._memory.load(slot.state, prompt)
        self._free_idle_slots(slot)
        shared = common_prefix(slot.state.tokens, prompt)
        read = slot.state.window.rewind(shared, len(prompt))
        read = min(read, len(prompt) - self._policy.keep_last)
        answer = stored_answer(self._policy.generated, request)
        slot.state.window.advance(read, len(prompt), len(answer), request.segments.user_starts)
        slot.state.tokens = prompt + answer
        self._clock += 1
        slot.last_used = self._clock
        return TokenRange.of(read)

    def _empty_slot(self) -> _Slot:
        return _Slot(_State(window_of(self._policy)))

    def _choose(self, prompt: Tokens) -> tuple[_Slot, bool]:
        """The most similar slot, else the least recently used; and whether it keeps its tokens."""
        best = max(self._slots, key=lambda slot: _served(slot.state, prompt))
        if _served(best.state, prompt) > self._similarity:
            return best, _kept(best.state.tokens, prompt) >= _KEEP_AT_LEAST
        oldest = min(reversed(self._slots), key=lambda slot: slot.last_used)
        return oldest, False

    def _free_idle_slots(self, chosen: _Slot) -> None:
        """With one memory for all slots, the others are saved and emptied when a task starts."""
        if self._memory is None:
            return
        for slot in self._slots:
            if slot is not chosen:
                self._memory.save(slot.state)
                if self._policy.settings["unified"]:
                    slot.state = self._empty_slot().state


def _contains(longer: Tokens, shorter: Tokens) -> bool:
    return common_prefix(longer, shorter) == len(shorter)


def _kept(tokens: Tokens, prompt: Tokens) -> float:
    """The share of a state that a prompt would keep; an empty state keeps less than nothing."""
    return common_prefix(tokens, prompt) / len(tokens) if tokens else -1.0


def _served(state: _State, prompt: Tokens) -> float:
    """The share of a prompt that a state already holds."""
    return common_prefix(state.tokens, prompt) / len(prompt)
