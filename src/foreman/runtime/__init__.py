"""The runtime: runs contract files written for GenLayer's v0.2.16 SDK, in process, and reports effects."""
