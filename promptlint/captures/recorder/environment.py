"""The variables that lead a command to the recorder."""

from collections.abc import Mapping

from promptlint.captures.recorder.server import ADDRESS

PLACEHOLDER_KEY = "promptlint-needs-no-key"
BASE_URL_VARIABLE = "PROMPTLINT_BASE_URL"

# With the version in the path: the name of OpenAI's clients, and LiteLLM's.
_WITH_VERSION = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
# Without: the SDKs of Anthropic and Google and the agents built on them add it themselves.
_WITHOUT_VERSION = ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", BASE_URL_VARIABLE)
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")
_OTHER_KEYS = ("GOOGLE_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_NO_PROXY = ("NO_PROXY", "no_proxy")


def recorder_environment(url: str, inherited: Mapping[str, str]) -> dict[str, str]:
    """The inherited variables with the recorder's addresses laid over them.

    Keys are replaced by a placeholder: an agent starts without one, and a real one is not
    handed on. The recorder is never asked for through a proxy.
    """
    proxies = {
        name: ",".join(filter(None, (inherited.get(name), ADDRESS, "localhost")))
        for name in _NO_PROXY
    }
    return {
        **inherited,
        **dict.fromkeys(_WITH_VERSION, f"{url}/v1"),
        **dict.fromkeys(_WITHOUT_VERSION, url),
        **dict.fromkeys(_KEYS, PLACEHOLDER_KEY),
        **{name: PLACEHOLDER_KEY for name in _OTHER_KEYS if name in inherited},
        **proxies,
    }
