"""What promptlint calls: an agent of deepagents, asked through a model that only writes down.

Its prompt is made by middleware inside a model call: there is no builder to call.
"""

from pathlib import Path
from typing import Any

from deepagents import create_deep_agent
from deepagents.backends import FilesystemBackend
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import Field


class Recorder(BaseChatModel):
    """A chat model that keeps the request and answers with one word."""

    body: dict[str, Any] = Field(default_factory=dict)

    @property
    def _llm_type(self):
        return "recorder"

    def bind_tools(self, tools, **_):
        self.body["tools"] = [convert_to_openai_tool(tool) for tool in tools]
        return self

    def _generate(self, messages, *_, **__):
        self.body["messages"] = convert_to_openai_messages(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Done."))])


class Turns:
    """One thread of an agent that works in the working directory."""

    def __init__(self):
        self._model = Recorder()
        self._agent = create_deep_agent(
            model=self._model,
            system_prompt="You keep the books of a small shop. Amounts are integers in cents.",
            skills=["/skills/"],
            memory=["/AGENTS.md", "/MEMORY.md"],
            backend=FilesystemBackend(root_dir=Path.cwd(), virtual_mode=True),
            checkpointer=InMemorySaver(),
        )

    def build(self, world):
        """The request that follows a user message."""
        message = {"role": "user", "content": world.user_message}
        self._agent.invoke({"messages": [message]}, {"configurable": {"thread_id": "1"}})
        return self._model.body
