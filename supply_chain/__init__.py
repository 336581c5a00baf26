"""What is installed, told and checked: a list of every locked package, and known faults of them."""
