"""What contracts get when they import `datetime`, `time`, `random` or `os`: the same, with the run's time and entropy."""
