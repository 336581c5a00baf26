"""Where responses come from: one file a kind, each `complete(prompt, deadline)`; nothing here knows HTTP requests to us, or money kept."""
