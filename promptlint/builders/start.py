"""Run a package beside this file under a private name, leaving no trace on sys.path.

Used as `python -B start.py worker ...`: the user's code must find its own modules, never ours.
"""

import importlib
import importlib.util
import os
import sys
from types import ModuleType

TOO_OLD = 95  # the exit status under an interpreter that cannot run the package


def load(package: str) -> ModuleType:
    """The `main` module of a package beside this file, imported as `_promptlint_<package>.main`."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib stays unloaded
    if sys.path and os.path.abspath(sys.path[0]) == here:  # noqa: PTH100
        del sys.path[0]
    name = "_promptlint_" + package
    folder = os.path.join(here, package)  # noqa: PTH118
    spec = importlib.util.spec_from_file_location(
        name,
        os.path.join(folder, "__init__.py"),  # noqa: PTH118
        submodule_search_locations=[folder],
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return importlib.import_module(name + ".main")


if __name__ == "__main__":
    if sys.version_info < (3, 9):  # noqa: UP036 - the user's interpreter may be older than ours
        sys.exit(TOO_OLD)
    load(sys.argv[1]).main()
