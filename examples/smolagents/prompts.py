"""What promptlint calls: a CodeAgent of smolagents with two tools of ours."""

from smolagents import CodeAgent, Model, tool


@tool
def word_count(text: str) -> int:
    """Count the words of a text.

    Args:
        text: The text to count.
    """
    return len(text.split())


@tool
def page(address: str) -> str:
    """Read a page of the handbook.

    Args:
        address: The page's name, such as `holidays`.
    """
    return f"There is no page {address}."


def build():
    """The system prompt of a new agent. It prints its tools, as code, into the text."""
    agent = CodeAgent(
        tools=[word_count, page],
        model=Model(model_id="any"),
        additional_authorized_imports=["json", "tomllib", "zoneinfo"],
    )
    return agent.system_prompt
