"""What a chat model does in an episode, as methods from which trainers make tools."""

from __future__ import annotations

from typing import Any

from pwp_env.client import Episode, Picture


class AgentTools:
    """Tools of an agent. Each public method is one: its name, types and docstring are what the model reads.

    A subclass says which episode they act in, and how a text with a picture is written for its trainer.
    """

    picture: Picture = "none"
    """The picture beside the screen in words: ``screen``, ``marks``, or ``none`` for models that read text alone."""

    def act(self, actions: str) -> Any:
        """Do one or several actions in VS Code, wait until it is at rest, and look at the screen.

        Args:
            actions: One action a line: an xdotool line such as `xdotool mousemove 640 360 click 1`, `xdotool key ctrl+s` or
                `xdotool type 'some text'`, or `click [12]` to click on the mark with this number.
        """
        lines = [line for line in actions.splitlines() if line.strip()]
        step = self._episode_now().step(lines, picture=self.picture)
        return self._show(step.text, step.observation.picture)

    def look(self) -> Any:
        """Look at the screen without doing anything."""
        seen = self._episode_now().observe(picture=self.picture)
        return self._show(seen.text, seen.picture)

    def shell(self, command: str) -> str:
        """Run a command in a shell, beside the screen. It begins in the workspace.

        Args:
            command: The command, for bash.
        """
        return self.call_tool("shell", {"command": command})

    def list_tools(self, family: str) -> str:
        """List the tools of VS Code of one subject, with their arguments. The subjects are listed for any other word.

        Args:
            family: The subject.
        """
        tools = self._episode_now().client.tools()
        chosen = [tool for tool in tools if tool.family == family]
        if not chosen:
            return "subjects: " + ", ".join(sorted({tool.family for tool in tools}))
        return "\n".join(f"{tool.name}({', '.join(tool.schema.get('properties', {}))}): {tool.description}" for tool in chosen)

    def call_tool(self, name: str, arguments: dict[str, Any]) -> str:
        """Call a tool of VS Code, e.g. read_file with {"path": "main.py"}.

        Args:
            name: Its name, as list_tools has it.
            arguments: Its arguments by their names.
        """
        call = self._episode_now().call(name, arguments)
        return f"{call.effect}: {call.evidence}\n{call.output}".strip()

    def _episode_now(self) -> Episode:
        raise NotImplementedError

    def _show(self, text: str, picture: bytes | None) -> Any:
        raise NotImplementedError
