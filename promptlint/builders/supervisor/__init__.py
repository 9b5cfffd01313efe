"""The process above the worker: confines it, and leaves nothing of it running."""
