"""What texts state in closed form: quantities, dates and times, names, denials; and where two texts say the same."""
