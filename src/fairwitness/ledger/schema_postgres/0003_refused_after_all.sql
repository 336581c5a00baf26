-- As before, and: a run that never started (`refused` says why) is forgotten, so that it counts against
-- no quota, and is counted as a refusal.
CREATE OR REPLACE FUNCTION ledger_finish(outcome jsonb, now bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    run ledger_run;
    total bigint;
BEGIN
    SELECT * INTO run FROM ledger_run WHERE id = decode(outcome->>'id', 'hex');
    IF NOT FOUND OR run.state NOT IN ('open', 'expired') THEN
        RETURN jsonb_build_object('closed', 0);
    END IF;
    SELECT coalesce(sum((charge->>1)::bigint), 0) INTO total
    FROM jsonb_array_elements(outcome->'costs') AS charge;
    IF outcome->>'refused' IS NOT NULL THEN
        DELETE FROM ledger_run WHERE id = run.id;
        INSERT INTO ledger_refusal AS r VALUES (now - now % 3600000, outcome->>'refused', 1)
        ON CONFLICT (hour_ms, code) DO UPDATE SET refused = r.refused + 1;
    ELSE
        UPDATE ledger_charge SET cost = coalesce((charge->>1)::bigint, 0)
        FROM jsonb_array_elements(outcome->'costs') AS charge
        WHERE run_id = run.id AND slot = charge->>0;
        UPDATE ledger_run SET cost = total, finished_ms = now,
            state = CASE WHEN (outcome->>'frees_duplicate')::boolean THEN 'failed' ELSE 'done' END
        WHERE id = run.id;
    END IF;
    PERFORM ledger_spend_add(
        run.admitted_ms,
        CASE WHEN run.state = 'open' THEN -run.worst ELSE 0 END,
        CASE WHEN run.state = 'open' THEN total ELSE total - run.worst END);
    RETURN jsonb_build_object('closed', CASE WHEN run.state = 'open' THEN 1 ELSE 0 END);
END $$;
