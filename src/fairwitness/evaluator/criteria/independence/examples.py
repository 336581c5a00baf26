"""Small exchanges with the verdict independence must give; written here, taken from nowhere."""

EXAMPLES = ()
