"""The environment variables that a builder meets, the same on every machine."""

import os
import re

_SECRETS = re.compile(
    r"API_?KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|AUTH|COOKIE|SESSION|_KEY$|_DSN$|_PAT$",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"^(HOME|USER|LOGNAME|USERNAME|MAIL|PWD|OLDPWD|SHLVL|_|TMPDIR|TEMP|TMP|TZ|LANG|LANGUAGE|EDITOR"
    r"|VISUAL|PAGER|TERM|COLORTERM|COLUMNS|LINES|DISPLAY|HOSTNAME|HISTFILE|CI"
    r"|(LC|XDG|GIT|SSH|GPG|DBUS|WAYLAND|GITHUB|RUNNER|PYTEST|COV|COVERAGE|PROMPTLINT)_.*"
    r"|PYTHON(?!PATH$|HOME$).*|.*_PROXY)$",
    re.IGNORECASE,
)

# Programs that know that there is no network do not try again and again.
OFFLINE = {"PIP_NO_INDEX": "1", "UV_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}

# What is the same in every world.
FIXED = {"TERM": "dumb", "GIT_OPTIONAL_LOCKS": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def inherited_variables() -> dict[str, str]:
    """Our own variables without secrets and without what belongs to one person or terminal."""
    return {
        name: value
        for name, value in os.environ.items()
        if not _SECRETS.search(name) and not _PERSONAL.match(name)
    }
