"""The service under load and faults, in short; the long runs are commands in perf/."""
