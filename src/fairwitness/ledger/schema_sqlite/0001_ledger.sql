-- The gate: the latest time any process has seen, and the kill switch.
CREATE TABLE ledger_gate (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    clock_ms INTEGER NOT NULL,
    stopped INTEGER NOT NULL,
    reason TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    cancel_seq INTEGER NOT NULL
) STRICT;
INSERT INTO ledger_gate VALUES (1, 0, 0, '', 0, 0);

-- Every admitted run. Its money belongs to the hour it was admitted in, whenever it ends.
CREATE TABLE ledger_run (
    id BLOB PRIMARY KEY,
    caller BLOB NOT NULL,
    endpoint TEXT NOT NULL,
    duplicate BLOB NOT NULL,
    units INTEGER NOT NULL,
    worst INTEGER NOT NULL,
    cost INTEGER,
    admitted_ms INTEGER NOT NULL,
    lease_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'failed', 'expired'))
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_run_open ON ledger_run (lease_ms, caller) WHERE state = 'open';
CREATE INDEX ledger_run_caller ON ledger_run (caller, admitted_ms, units);
CREATE INDEX ledger_run_duplicate ON ledger_run (duplicate);
CREATE INDEX ledger_run_admitted ON ledger_run (admitted_ms);

-- One row a provider of a run: what was reserved, and what it came to (NULL: not known yet).
CREATE TABLE ledger_charge (
    run_id BLOB NOT NULL REFERENCES ledger_run (id),
    slot TEXT NOT NULL,
    worst INTEGER NOT NULL,
    cost INTEGER,
    PRIMARY KEY (run_id, slot)
) STRICT, WITHOUT ROWID;

-- Money by UTC hour of admission.
CREATE TABLE ledger_spend (
    hour_ms INTEGER PRIMARY KEY,
    reserved INTEGER NOT NULL,
    settled INTEGER NOT NULL
) STRICT;

CREATE TABLE ledger_refusal (
    hour_ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    refused INTEGER NOT NULL,
    PRIMARY KEY (hour_ms, code)
) STRICT, WITHOUT ROWID;
