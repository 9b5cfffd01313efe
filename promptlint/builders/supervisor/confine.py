"""Put the current process into its confinement, with every means that the system offers."""

import os
import resource
import signal
import sys
from typing import Any

from . import landlock, namespaces
from .system_calls import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, process_control


def choices(network: bool) -> list[list[str]]:
    """The namespaces to try, best first. The last choice, none at all, is never refused."""
    if sys.platform != "linux":
        return [[]]
    best = [namespaces.READ_ONLY_MOUNTS]
    return [best, []] if network else [[*best, namespaces.NETWORK], [namespaces.NETWORK], []]


def confine(job: dict[str, Any], entered: list[str]) -> list[str]:
    """Confine this process and its children to come. Returns the means now in force.

    Raises OSError where a namespace is refused: the process is then to be given up.
    """
    means = list(entered)
    if sys.platform == "linux":
        if entered:
            namespaces.enter(entered, job["writable"])
        process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        process_control(PR_SET_NO_NEW_PRIVS, 1)
        means.extend(_landlock(job["writable"], job["network"] or namespaces.NETWORK in means))
    if job["memory"]:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = job["memory"] if most == resource.RLIM_INFINITY else min(job["memory"], most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        means.append("memory limit")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return means


def _landlock(writable: list[str], network: bool) -> list[str]:
    try:
        version = landlock.restrict(writable, network)
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
