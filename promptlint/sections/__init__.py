"""Sections: who is who inside a system text or a message."""
