-- The latest time retention has gone by, and since when a clock far ahead of it has been doubted.
ALTER TABLE feedback_gate ADD COLUMN clock_ms INTEGER;
ALTER TABLE feedback_gate ADD COLUMN doubted_ms INTEGER;
