"""How the command ends."""

PASSED = 0
FINDINGS = 1
COULD_NOT_CHECK = 2
