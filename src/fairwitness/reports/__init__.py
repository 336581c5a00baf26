"""Results for people and tools: one file a form; each knows what is shown, none knows who asked for it."""
