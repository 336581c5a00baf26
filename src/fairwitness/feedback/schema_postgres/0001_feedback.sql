-- Texts are kept as UTF-8 bytes: they come back exactly as sent, NUL included.
CREATE TABLE feedback (
    feedback_id TEXT COLLATE "C" PRIMARY KEY,
    received_ms BIGINT NOT NULL,
    category TEXT NOT NULL,
    message BYTEA NOT NULL,
    rating SMALLINT,
    request_id BYTEA,
    size BIGINT NOT NULL
);
CREATE INDEX feedback_received ON feedback (received_ms);
-- Apart from the feedback, and sealed with a key that is not in this database.
CREATE TABLE feedback_contact (
    feedback_id TEXT COLLATE "C" PRIMARY KEY,
    sealed BYTEA NOT NULL
);
-- Who sent how much in the last day: counted apart, so that feedback names no caller.
CREATE TABLE feedback_seen (
    caller BYTEA NOT NULL,
    at_ms BIGINT NOT NULL
);
CREATE INDEX feedback_seen_caller ON feedback_seen (caller, at_ms);
CREATE INDEX feedback_seen_at ON feedback_seen (at_ms);
-- One row: what is kept, in bytes; every change takes it first.
CREATE TABLE feedback_gate (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    bytes BIGINT NOT NULL
);
INSERT INTO feedback_gate VALUES (1, 0);
