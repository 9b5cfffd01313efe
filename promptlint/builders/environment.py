"""The environment variables that a builder meets, the same on every machine."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

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


def builder_environment(
    *,
    home: Path,
    temporary: Path,
    commands: Path,
    user: str,
    time_zone: str,
    language: str,
    hash_seed: int,
    additions: Mapping[str, str],
) -> dict[str, str]:
    """Our own variables without secrets and personal ones, then the world's, then the user's."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not _SECRETS.search(name) and not _PERSONAL.match(name)
    }
    return {
        **kept,
        "PATH": f"{commands}{os.pathsep}{kept.get('PATH', os.defpath)}",
        "HOME": str(home),
        "USER": user,
        "LOGNAME": user,
        "TMPDIR": str(temporary),
        "TZ": time_zone,
        "LANG": language,
        "TERM": "dumb",
        "GIT_OPTIONAL_LOCKS": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        # 0 would switch the randomisation off.
        "PYTHONHASHSEED": str(hash_seed + 1),
        **additions,
    }
