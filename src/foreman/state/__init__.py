"""SQLite: the only room with SQL in it."""
