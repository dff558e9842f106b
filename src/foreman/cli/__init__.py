"""The `foreman` command: one file per noun, `main.py` is the table of them."""
