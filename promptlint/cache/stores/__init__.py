"""What a cache remembers between two requests, one kind a file."""
