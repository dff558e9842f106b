"""Where everything meets: the only room that wires the others."""
