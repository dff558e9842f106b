"""What `foreman demo` plays: the evidence server, the scenes, the checks, and how they are shown."""
