"""Put the current process into its confinement, with every means that the system offers."""

import os
import resource
import sys
from typing import Any

from . import landlock, namespaces
from .system_calls import PR_SET_NO_NEW_PRIVS, process_control


def confine(job: dict[str, Any], use_namespaces: bool) -> list[str]:
    """Confine this process and its children to come. Returns the means now in force.

    Raises OSError where a namespace is refused: the process is then to be given up.
    """
    means: list[str] = []
    if sys.platform == "linux":
        if use_namespaces:
            means.extend(namespaces.enter(job["writable"], job["network"]))
        process_control(PR_SET_NO_NEW_PRIVS, 1)
        means.extend(_landlock(job))
    if job["memory"]:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = job["memory"] if most == resource.RLIM_INFINITY else min(job["memory"], most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        means.append("memory limit")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return means


def _landlock(job: dict[str, Any]) -> list[str]:
    try:
        version = landlock.restrict(job["writable"], job["network"])
    except OSError:
        return []  # a kernel before 5.13, or one without Landlock
    return [f"landlock {version}"]


def become(job: dict[str, Any]) -> None:
    """Turn into the worker: its output goes where the job says, its input is empty."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(job["output"], 1)
    os.dup2(job["output"], 2)
    for descriptor in job["descriptors"]:
        os.set_inheritable(descriptor, True)
    os.chdir(job["folder"])
    os.execv(job["command"][0], job["command"])  # noqa: S606 - no shell is wanted
