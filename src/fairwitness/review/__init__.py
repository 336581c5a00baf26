"""The queue of results that need a person, the labels people give, and thresholds fitted to them."""
