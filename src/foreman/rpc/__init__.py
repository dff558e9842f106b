"""The door: JSON-RPC 2.0 over HTTP, the event stream, and what a browser is served."""
