"""Foreman: escrow plus adjudication for agent-to-agent work."""

__version__ = "2.0.0"
