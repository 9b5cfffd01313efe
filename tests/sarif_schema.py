"""Our SARIF against the official schema, which the npm package @microsoft/jest-sarif carries.

Run by `make sarif-check`, not by pytest: it needs npm.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from promptlint import registry
from promptlint.check.outcome import Problem
from promptlint.location import Location
from promptlint.output.sarif import findings_sarif
from tests.output.test_formats import HOSTILE, examples

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
SCHEMA = "package/lib/schemas/sarif-2.1.0-rtm.5.json"


def official_schema() -> dict[str, object]:
    """The schema out of the package, fetched by npm."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("sarif-check needs npm, which fetches the official schema")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([npm, "pack", "--silent", PACKAGE], cwd=folder, check=True)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as package:
            member = package.extractfile(SCHEMA)
            assert member is not None
            schema: dict[str, object] = json.load(member)
            return schema


def main() -> None:
    """Validate the findings of all rules' examples, and a hostile one."""
    findings = [*examples(), HOSTILE]
    log = json.loads(
        findings_sarif(
            findings,
            [Problem("a problem"), Problem("b.py:3: bad", location=Location("b.py", 3))],
            registry.rules(),
        )
    )
    schema = official_schema()
    jsonschema.Draft4Validator(schema).validate(log)
    print(f"{len(findings)} findings are valid SARIF 2.1.0")


if __name__ == "__main__":
    main()
