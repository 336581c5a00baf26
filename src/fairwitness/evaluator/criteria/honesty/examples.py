"""Small exchanges with the verdict honesty must give; written here, taken from nowhere."""

EXAMPLES = ()
