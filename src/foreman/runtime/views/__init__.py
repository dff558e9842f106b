"""Views: the records and containers that contracts work with, over rows in the state or in memory."""
