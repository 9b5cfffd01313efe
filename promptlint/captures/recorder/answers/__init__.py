"""The answers of the recorder, one file a wire format: at once, or as a stream of events."""
