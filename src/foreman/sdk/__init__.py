"""The Python client: speaks JSON-RPC to any GenLayer network, and never imports the node."""
