"""What promptlint calls: a conversation of the OpenHands SDK, and an agent for each request."""

import os
from pathlib import Path

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["OPENHANDS_SUPPRESS_BANNER"] = "1"

from openhands.sdk import LLM, Agent, AgentContext, Conversation, Tool
from openhands.sdk.event import LLMConvertibleEvent
from openhands.tools.file_editor import FileEditorTool
from openhands.tools.task_tracker import TaskTrackerTool
from openhands.tools.terminal import TerminalTool


class Turns:
    """One conversation in the working directory. Its first message fixes the system prompt."""

    def __init__(self):
        self._conversation = _conversation()

    def build(self, world):
        """The request that follows a user message."""
        self._conversation.send_message(world.user_message)
        return _request(self._conversation)


def stateless(world):
    """The request of a service that makes agent and conversation anew for every message."""
    conversation = _conversation()
    conversation.send_message(world.user_message)
    return _request(conversation)


def _conversation():
    agent = Agent(
        llm=LLM(model="openai/gpt-5", api_key="none"),
        tools=[
            Tool(name=TerminalTool.name, params={"terminal_type": "subprocess"}),
            Tool(name=FileEditorTool.name),
            Tool(name=TaskTrackerTool.name),
        ],
        agent_context=AgentContext(load_project_skills=True, load_memory=True),
    )
    return Conversation(agent=agent, workspace=str(Path.cwd()), visualizer=None)


def _request(conversation):
    events = list(conversation.state.events)
    messages = LLMConvertibleEvent.events_to_messages(events)
    return {
        "messages": conversation.agent.llm.format_messages_for_llm(messages),
        "tools": [tool.to_openai_tool() for tool in events[0].tools],
    }
