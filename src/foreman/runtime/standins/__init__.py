"""What contracts get when they import `datetime`, `time`, `random` or `os`: the same, on the run's time and entropy."""
