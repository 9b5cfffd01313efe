"""What a chat template does to tools, dates, system text and history: measured by rendering."""
