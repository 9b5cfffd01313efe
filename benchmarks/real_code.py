"""What reading says of released packages, against a list that people judged by hand.

    python -m benchmarks.real_code [PACKAGE...]

The wheels of `real_code.toml` are fetched at their versions, unpacked and read as they are,
nothing of them is run. It fails where a warning or an error is found that nobody judged, where
a judged one or a known fault is no longer found, and where fewer than 90 % are right.
"""

import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from promptlint import registry
from promptlint.check.merge import merged
from promptlint.check.source import read, read_findings
from promptlint.config import Config
from promptlint.finding import Severity

CACHE = Path(__file__).resolve().parent.parent / ".cache" / "real_code"
GRAMMAR = "3.13"
"""The Python for which wheels are chosen: newer than the one that reads them may be."""
ENOUGH = 0.9


@dataclass(frozen=True, order=True)
class Place:
    """One finding of one package: `place` is the path in the package and the line."""

    package: str
    place: str
    rule: str

    def __str__(self) -> str:
        return f"{self.package}: {self.place} {self.rule}"


@dataclass(frozen=True)
class Found:
    """What was read of one package. `seconds` are of the processor."""

    package: str
    files: int
    seconds: float
    alarms: frozenset[Place]
    others: frozenset[Place]


@dataclass(frozen=True)
class Judged:
    """The list: versions by package, findings by whether they are right, known faults."""

    versions: dict[str, str]
    right: frozenset[Place]
    wrong: frozenset[Place]
    known: frozenset[Place]


def load(chosen: list[str]) -> Judged:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    versions = {n: v for n, v in data["packages"].items() if not chosen or n in chosen}

    def places(name: str, *, right: bool | None = None) -> frozenset[Place]:
        return frozenset(
            Place(row["package"], row["place"], row["rule"])
            for row in data[name]
            if row["package"] in versions and row.get("right") is right
        )

    right, wrong = places("finding", right=True), places("finding", right=False)
    return Judged(versions, right, wrong, places("known"))


def fetch(versions: dict[str, str]) -> None:
    """Unpack the wheels that are not there yet."""
    missing = {n: v for n, v in versions.items() if not _folder(n, v).is_dir()}
    if not missing:
        return
    wheels = CACHE / "wheels"
    command = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--python-version", GRAMMAR]
    command += ["--dest", str(wheels), *(f"{name}=={version}" for name, version in missing.items())]
    fetched = subprocess.run(command, capture_output=True, text=True, check=False)
    if fetched.returncode:
        sys.exit(f"the wheels could not be fetched: {fetched.stderr.strip()}")
    for name, version in missing.items():
        prefix = f"{name.replace('-', '_')}-{version}-"
        (wheel,) = (file for file in wheels.iterdir() if file.name.lower().startswith(prefix))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(_folder(name, version))


def _folder(name: str, version: str) -> Path:
    return CACHE / f"{name}-{version}"


def look(name: str, version: str) -> Found:
    """Read one package with the rules and thresholds that a user has who sets nothing."""
    folder = _folder(name, version)
    config = Config(base=folder)
    start = time.process_time()
    reading = read([folder], config)
    findings = merged(list(read_findings(reading, config, registry.rules()).findings))
    seconds = time.process_time() - start
    places: dict[bool, set[Place]] = {True: set(), False: set()}
    for finding in findings:
        if finding.location is not None:
            where = f"{finding.location.path}:{finding.location.line}"
            alarm = finding.severity >= Severity.WARNING
            places[alarm].add(Place(name, where, finding.rule))
    alarms, others = frozenset(places[True]), frozenset(places[False])
    return Found(name, reading.files_read, seconds, alarms, others)


def faults(judged: Judged, found: list[Found]) -> Iterator[str]:
    alarms = frozenset[Place]().union(*(one.alarms for one in found))
    everything = alarms.union(*(one.others for one in found))
    for place in sorted(alarms - judged.right - judged.wrong):
        yield f"nobody judged      {place}"
    for place in sorted((judged.right | judged.wrong) - alarms):
        yield f"no longer found    {place}"
    for place in sorted(judged.known - everything):
        yield f"a known fault      {place} is not found"


def main(chosen: list[str]) -> int:
    judged = load(chosen)
    fetch(judged.versions)
    print(f"{'package':<20} {'files':>5} {'seconds':>7} {'right':>5} {'wrong':>5}")
    found = []
    with ProcessPoolExecutor() as pool:
        for one in pool.map(look, judged.versions.keys(), judged.versions.values()):
            found.append(one)
            right, wrong = len(one.alarms & judged.right), len(one.alarms & judged.wrong)
            print(
                f"{one.package:<20} {one.files:>5} {one.seconds:>7.1f} {right:>5} {wrong:>5}",
                flush=True,
            )
    right = sum(len(one.alarms & judged.right) for one in found)
    wrong = sum(len(one.alarms & judged.wrong) for one in found)
    print(f"{right} of {right + wrong} warnings and errors are right.")
    differences = list(faults(judged, found))
    if not chosen and right < ENOUGH * (right + wrong):
        differences.append(f"fewer than {ENOUGH:.0%} are right")
    print("\n".join(differences), end="\n" if differences else "")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
