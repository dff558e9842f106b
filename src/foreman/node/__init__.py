"""The network: the story of a transaction, from the door to finality."""
