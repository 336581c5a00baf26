"""Speed, load and faults, measured: each file is a command that writes its table into /docs/speed."""
