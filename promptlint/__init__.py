"""promptlint: the layout linter for system prompts of LLM agents."""

__version__ = "0.1.0"
