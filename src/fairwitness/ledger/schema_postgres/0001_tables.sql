-- The gate: the latest time any machine has seen, and the kill switch. Its row lock is the one
-- queue every decision passes through.
CREATE TABLE ledger_gate (
    id integer PRIMARY KEY CHECK (id = 1),
    clock_ms bigint NOT NULL,
    stopped boolean NOT NULL,
    reason text NOT NULL,
    changed_ms bigint NOT NULL,
    cancel_seq bigint NOT NULL,
    -- How many runs are open, and a time before which no lease runs out: kept here because a count
    -- or a minimum over rows that come and go by the second would read their dead versions too.
    open_runs bigint NOT NULL,
    next_lapse_ms bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO ledger_gate VALUES (1, 0, false, '', 0, 0, 0, 0);

-- Every admitted run. Its money belongs to the hour it was admitted in, whenever it ends.
CREATE TABLE ledger_run (
    id bytea PRIMARY KEY,
    caller bytea NOT NULL,
    endpoint text NOT NULL,
    duplicate bytea NOT NULL,
    units integer NOT NULL,
    worst bigint NOT NULL,
    cost bigint,
    admitted_ms bigint NOT NULL,
    lease_ms bigint NOT NULL,
    finished_ms bigint,
    state text NOT NULL CHECK (state IN ('open', 'done', 'failed', 'expired'))
);
CREATE INDEX ledger_run_open ON ledger_run (lease_ms, caller) WHERE state = 'open';
CREATE INDEX ledger_run_caller ON ledger_run (caller, admitted_ms, units);
CREATE INDEX ledger_run_duplicate ON ledger_run (duplicate);
CREATE INDEX ledger_run_admitted ON ledger_run (admitted_ms);

-- One row a provider of a run: what was reserved, and what it came to (NULL: not known yet).
CREATE TABLE ledger_charge (
    run_id bytea NOT NULL REFERENCES ledger_run (id) ON DELETE CASCADE,
    slot text NOT NULL,
    worst bigint NOT NULL,
    cost bigint,
    PRIMARY KEY (run_id, slot)
);

-- Money by UTC hour of admission.
CREATE TABLE ledger_spend (
    hour_ms bigint PRIMARY KEY,
    reserved bigint NOT NULL,
    settled bigint NOT NULL
);

CREATE TABLE ledger_refusal (
    hour_ms bigint NOT NULL,
    code text NOT NULL,
    refused bigint NOT NULL,
    PRIMARY KEY (hour_ms, code)
);
