"""The part that runs in the user's interpreter: standard library only, Python 3.9 or newer."""
