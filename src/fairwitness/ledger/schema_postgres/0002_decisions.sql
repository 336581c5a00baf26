-- The decisions, each a function that runs while the gate's row is locked (so "update, else insert" is
-- safe here). In plpgsql, whose plans are kept, where a function runs for every request. `wall` is the
-- database's clock, `now` the ledger's time: the latest clock ever seen, so it never runs back.

CREATE FUNCTION ledger_spend_add(admitted bigint, add_reserved bigint, add_settled bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE ledger_spend SET reserved = reserved + add_reserved, settled = settled + add_settled
    WHERE hour_ms = admitted - admitted % 3600000;
    IF NOT FOUND THEN
        INSERT INTO ledger_spend VALUES (admitted - admitted % 3600000, add_reserved, add_settled);
    END IF;
END $$;

-- A run whose lease ran out counts in full. Returns how many did.
CREATE FUNCTION ledger_expire(now bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    lapsed record;
    gone bigint := 0;
BEGIN
    FOR lapsed IN
        SELECT id, worst, admitted_ms FROM ledger_run WHERE state = 'open' AND lease_ms <= now
    LOOP
        UPDATE ledger_charge SET cost = worst WHERE run_id = lapsed.id;
        UPDATE ledger_run SET state = 'expired', cost = worst, finished_ms = lease_ms
        WHERE id = lapsed.id;
        PERFORM ledger_spend_add(lapsed.admitted_ms, -lapsed.worst, lapsed.worst);
        gone := gone + 1;
    END LOOP;
    RETURN gone;
END $$;

-- Whole seconds until `until`, never less than 1; nothing where `until` is not known.
CREATE FUNCTION ledger_wait(until bigint, wall bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN until IS NULL THEN NULL
                ELSE greatest(1, ceil((until - wall) / 1000.0)::bigint) END
$$;

CREATE FUNCTION ledger_refusal_of(code text, by_limit text, wait bigint DEFAULT NULL)
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object('code', code, 'limit', by_limit, 'retry_after_s', wait)
$$;

CREATE FUNCTION ledger_duplicate(key bytea, limits jsonb, wall bigint, now bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    window_ms bigint := (limits->>'duplicate_window_ms')::bigint;
    same record;
BEGIN
    SELECT count(*) FILTER (WHERE state = 'open') AS held,
           max(finished_ms) FILTER (WHERE state = 'done') AS finished
    INTO same FROM ledger_run WHERE duplicate = key;
    IF same.held > 0 THEN
        RETURN ledger_refusal_of('duplicate_request', 'in_flight');
    ELSIF same.finished + window_ms > now THEN
        RETURN ledger_refusal_of(
            'duplicate_request', 'duplicate_window_s', ledger_wait(same.finished + window_ms, wall));
    END IF;
    RETURN NULL;
END $$;

-- When will enough of a caller's oldest runs (or their units) have left the window? NULL: never.
CREATE FUNCTION ledger_leaves(
    of_caller bytea, by_units boolean, window_ms bigint, excess bigint, now bigint)
RETURNS bigint LANGUAGE sql AS $$
    SELECT admitted_ms + window_ms FROM (
        SELECT admitted_ms,
               sum(CASE WHEN by_units THEN units ELSE 1 END) OVER (ORDER BY admitted_ms, id) AS gone
        FROM ledger_run WHERE caller = of_caller AND admitted_ms > now - window_ms
    ) AS oldest WHERE gone >= excess ORDER BY admitted_ms LIMIT 1
$$;

-- Quota, then places: both are answered by one look at the caller's runs of the last day.
CREATE FUNCTION ledger_share(
    of_caller bytea, ask_units bigint, limits jsonb, open_runs bigint, wall bigint, now bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    an_hour CONSTANT bigint := 3600000;
    a_day CONSTANT bigint := 86400000;
    used record;
    over_hour bigint;
    over_day bigint;
    over_units bigint;
BEGIN
    SELECT count(*) FILTER (WHERE admitted_ms > now - an_hour) AS in_hour,
           count(*) AS in_day, coalesce(sum(units), 0) AS units,
           count(*) FILTER (WHERE state = 'open') AS held
    INTO used FROM ledger_run WHERE caller = of_caller AND admitted_ms > now - a_day;
    over_hour := used.in_hour + 1 - (limits->>'quota_per_hour')::bigint;
    over_day := used.in_day + 1 - (limits->>'quota_per_day')::bigint;
    over_units := used.units + ask_units - (limits->>'units_per_day')::bigint;
    IF greatest(over_hour, over_day, over_units) > 0 THEN
        RETURN ledger_quota_refusal(of_caller, over_hour, over_day, over_units, wall, now);
    ELSIF used.held + 1 > (limits->>'concurrency_per_caller')::bigint THEN
        RETURN ledger_refusal_of('concurrency_limit', 'concurrency_per_caller');
    ELSIF open_runs + 1 > (limits->>'concurrency')::bigint THEN
        RETURN ledger_refusal_of('concurrency_limit', 'concurrency');
    END IF;
    RETURN NULL;
END $$;

-- Of the quotas used up, the one that stays so longest.
CREATE FUNCTION ledger_quota_refusal(
    of_caller bytea, over_hour bigint, over_day bigint, over_units bigint, wall bigint, now bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    an_hour CONSTANT bigint := 3600000;
    a_day CONSTANT bigint := 86400000;
    longest record;
BEGIN
    SELECT name, until INTO longest FROM (VALUES
        (1, 'quota_per_hour', over_hour,
         CASE WHEN over_hour > 0 THEN ledger_leaves(of_caller, false, an_hour, over_hour, now) END),
        (2, 'quota_per_day', over_day,
         CASE WHEN over_day > 0 THEN ledger_leaves(of_caller, false, a_day, over_day, now) END),
        (3, 'units_per_day', over_units,
         CASE WHEN over_units > 0 THEN ledger_leaves(of_caller, true, a_day, over_units, now) END)
    ) AS broken (place, name, excess, until)
    WHERE excess > 0 ORDER BY until DESC NULLS FIRST, place LIMIT 1;
    RETURN ledger_refusal_of('quota_exceeded', longest.name, ledger_wait(longest.until, wall));
END $$;

CREATE FUNCTION ledger_budget(ask_worst bigint, limits jsonb, wall bigint, now bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    this_hour bigint := now - now % 3600000;
    this_day bigint := now - now % 86400000;
    per_hour bigint := (limits->>'budget_per_hour')::bigint;
    per_day bigint := (limits->>'budget_per_day')::bigint;
    fits_later boolean := ask_worst <= least(per_hour, per_day);
    spent record;
BEGIN
    SELECT coalesce(sum(reserved + settled) FILTER (WHERE hour_ms = this_hour), 0) AS in_hour,
           coalesce(sum(reserved + settled), 0) AS in_day
    INTO spent FROM ledger_spend WHERE hour_ms BETWEEN this_day AND this_day + 86399999;
    IF spent.in_day + ask_worst > per_day THEN
        RETURN ledger_refusal_of('budget_exhausted', 'budget_per_day_usd',
            CASE WHEN fits_later THEN ledger_wait(this_day + 86400000, wall) END);
    ELSIF spent.in_hour + ask_worst > per_hour THEN
        RETURN ledger_refusal_of('budget_exhausted', 'budget_per_hour_usd',
            CASE WHEN fits_later THEN ledger_wait(this_hour + 3600000, wall) END);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION ledger_admit(ask jsonb, limits jsonb, gate ledger_gate, wall bigint, now bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    ask_id bytea := decode(ask->>'id', 'hex');
    of_caller bytea := decode(ask->>'caller', 'hex');
    key bytea := decode(ask->>'duplicate', 'hex');
    ask_units bigint := (ask->>'units')::bigint;
    ask_worst bigint := (ask->>'worst')::bigint;
    refusal jsonb;
BEGIN
    refusal := CASE WHEN gate.stopped THEN ledger_refusal_of('kill_switch_active', 'switch') END;
    IF refusal IS NULL THEN refusal := ledger_duplicate(key, limits, wall, now); END IF;
    IF refusal IS NULL THEN
        refusal := ledger_share(of_caller, ask_units, limits, gate.open_runs, wall, now);
    END IF;
    IF refusal IS NULL THEN refusal := ledger_budget(ask_worst, limits, wall, now); END IF;
    IF refusal IS NOT NULL THEN
        INSERT INTO ledger_refusal AS r VALUES (now - now % 3600000, refusal->>'code', 1)
        ON CONFLICT (hour_ms, code) DO UPDATE SET refused = r.refused + 1;
        RETURN refusal;
    END IF;
    INSERT INTO ledger_run VALUES (
        ask_id, of_caller, ask->>'endpoint', key, ask_units, ask_worst, NULL,
        now, now + (ask->>'lease_ms')::bigint, NULL, 'open');
    INSERT INTO ledger_charge
    SELECT ask_id, charge->>0, (charge->>1)::bigint, NULL
    FROM jsonb_array_elements(ask->'charges') AS charge;
    PERFORM ledger_spend_add(now, ask_worst, 0);
    RETURN jsonb_build_object('cancel_seq', gate.cancel_seq);
END $$;

-- Settling twice, or a run that was never admitted, changes nothing; a run that had expired was
-- counted in full, and its true cost takes that place.
CREATE FUNCTION ledger_finish(outcome jsonb, now bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    run ledger_run;
    total bigint;
BEGIN
    SELECT * INTO run FROM ledger_run WHERE id = decode(outcome->>'id', 'hex');
    IF NOT FOUND OR run.state NOT IN ('open', 'expired') THEN
        RETURN jsonb_build_object('closed', 0);
    END IF;
    UPDATE ledger_charge SET cost = coalesce((charge->>1)::bigint, 0)
    FROM jsonb_array_elements(outcome->'costs') AS charge
    WHERE run_id = run.id AND slot = charge->>0;
    SELECT coalesce(sum((charge->>1)::bigint), 0) INTO total
    FROM jsonb_array_elements(outcome->'costs') AS charge;
    UPDATE ledger_run SET cost = total, finished_ms = now,
        state = CASE WHEN (outcome->>'frees_duplicate')::boolean THEN 'failed' ELSE 'done' END
    WHERE id = run.id;
    PERFORM ledger_spend_add(
        run.admitted_ms,
        CASE WHEN run.state = 'open' THEN -run.worst ELSE 0 END,
        CASE WHEN run.state = 'open' THEN total ELSE total - run.worst END);
    RETURN jsonb_build_object('closed', CASE WHEN run.state = 'open' THEN 1 ELSE 0 END);
END $$;

CREATE FUNCTION ledger_renew(renewal jsonb, now bigint) RETURNS jsonb LANGUAGE sql AS $$
    WITH held AS (
        UPDATE ledger_run
        SET lease_ms = greatest(lease_ms, now + (renewal->>'lease_ms')::bigint)
        WHERE state = 'open'
          AND id IN (SELECT decode(text, 'hex') FROM jsonb_array_elements_text(renewal->'ids') AS text)
        RETURNING id
    ) SELECT coalesce(jsonb_agg(encode(id, 'hex')), '[]') FROM held
$$;

-- One transaction for every step that waits: lock the gate, take the time, decide in order.
CREATE FUNCTION ledger_steps(steps jsonb, limits jsonb, test_clock bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    gate ledger_gate;
    wall bigint;
    now bigint;
    step jsonb;
    answer jsonb;
    answers jsonb := '[]';
BEGIN
    SELECT * INTO STRICT gate FROM ledger_gate WHERE id = 1 FOR UPDATE;
    wall := coalesce(test_clock, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    now := greatest(wall, gate.clock_ms);
    IF gate.open_runs > 0 AND gate.next_lapse_ms <= now THEN
        gate.open_runs := gate.open_runs - ledger_expire(now);
        SELECT coalesce(min(lease_ms), 0) INTO gate.next_lapse_ms
        FROM ledger_run WHERE state = 'open';
    END IF;
    FOR step IN SELECT jsonb_array_elements(steps) LOOP
        IF step->>'do' = 'admit' THEN
            answer := ledger_admit(step, limits, gate, wall, now);
            IF answer ? 'cancel_seq' THEN
                gate.next_lapse_ms := CASE WHEN gate.open_runs = 0
                    THEN now + (step->>'lease_ms')::bigint
                    ELSE least(gate.next_lapse_ms, now + (step->>'lease_ms')::bigint) END;
                gate.open_runs := gate.open_runs + 1;
            END IF;
        ELSIF step->>'do' = 'finish' THEN
            answer := ledger_finish(step, now);
            gate.open_runs := gate.open_runs - (answer->>'closed')::bigint;
        ELSIF step->>'do' = 'renew' THEN
            answer := ledger_renew(step, now);
        ELSE
            answer := jsonb_build_array(wall, now);
        END IF;
        answers := answers || jsonb_build_array(answer);
    END LOOP;
    UPDATE ledger_gate
    SET clock_ms = now, open_runs = gate.open_runs, next_lapse_ms = gate.next_lapse_ms
    WHERE id = 1;
    RETURN answers;
END $$;
