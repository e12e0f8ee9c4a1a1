CREATE OR REPLACE FUNCTION uncovered(mailboxes text[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  WITH each AS MATERIALIZED (SELECT m, has_paid(m) AS has_paid FROM unnest(mailboxes) m)
  SELECT m FROM each WHERE NOT has_paid
  UNION ALL SELECT t.of_mailbox FROM trust_of(ARRAY(SELECT m FROM each WHERE has_paid)) t WHERE t.trust < 0
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION unpaid_holders(of_mailbox text, of_part uuid, of_networks text[],
  OUT neighbours integer, OUT strangers integer) LANGUAGE plpgsql STABLE AS $$
DECLARE
  seen text[] := '{}';
  payers text[] := '{}';
  holder text;
BEGIN
  FOR holder IN SELECT u.mailbox FROM orders o JOIN users u ON u._id = o.user_id
    WHERE o.networks && of_networks AND o.part_id = of_part AND o.hold_expires_at > now() AND u.mailbox <> of_mailbox
    UNION ALL SELECT u.mailbox FROM queue_places q JOIN users u ON u._id = q.user_id
    WHERE q.networks && of_networks AND q.part_id = of_part AND q.offered_at IS NOT NULL AND u.mailbox <> of_mailbox
  LOOP
    CONTINUE WHEN holder = ANY (seen) OR holder = ANY (payers);
    IF has_paid(holder) THEN
      payers := payers || holder;
    ELSE
      seen := seen || holder;
    END IF;
    EXIT WHEN cardinality(seen) = 3;
  END LOOP;
  IF cardinality(seen) < 3 AND payers <> '{}' THEN
    seen := seen || ARRAY(SELECT uncovered(payers) LIMIT 3 - cardinality(seen));
  END IF;
  neighbours := cardinality(seen);
  strangers := neighbours;
  IF neighbours = 3 THEN
    RETURN;
  END IF;
  -- no join, which would read all users at once
  FOR holder IN SELECT (SELECT u.mailbox FROM users u WHERE u._id = h.user_id) FROM (
      SELECT user_id FROM orders WHERE part_id = of_part AND hold_expires_at > now()
      UNION ALL SELECT user_id FROM queue_places WHERE part_id = of_part AND offered_at IS NOT NULL
      LIMIT 200) h
  LOOP
    EXIT WHEN cardinality(seen) = 3;
    CONTINUE WHEN holder = of_mailbox OR holder = ANY (seen) OR holder = ANY (payers);
    IF has_paid(holder) THEN
      payers := payers || holder;
    ELSE
      seen := seen || holder;
    END IF;
  END LOOP;
  IF cardinality(seen) < 3 AND payers <> '{}' THEN
    seen := ARRAY(SELECT unnest(seen) UNION SELECT uncovered(payers) LIMIT 3);
  END IF;
  strangers := cardinality(seen);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION queue_of(of_part uuid, only_payers boolean DEFAULT false) RETURNS TABLE (
  place_id uuid, of_mailbox text, is_offered boolean, is_covered boolean, is_behind boolean, is_crowded boolean,
  units integer, "position" integer
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  WITH part AS (SELECT price_cents, minimum_order_quantity AS smallest FROM parts WHERE _id = of_part),
  places AS (
    SELECT q._id, q.turn, q.quantity, q.networks, q.offered_at IS NOT NULL AS is_offered, u.mailbox
    FROM queue_places q JOIN users u ON u._id = q.user_id WHERE q.part_id = of_part
      AND (NOT only_payers OR EXISTS (SELECT FROM orders o WHERE o.payer = mailbox_key(u.mailbox)))),
  accounts AS (SELECT DISTINCT u._id, u.mailbox FROM places p JOIN users u ON u.mailbox = p.mailbox),
  trusts AS (SELECT t.* FROM trust_of(ARRAY(SELECT DISTINCT p.mailbox FROM places p)) t),
  holders AS (
    SELECT a.mailbox FROM accounts a JOIN orders o ON o.user_id = a._id AND o.hold_limit_at > now()
      AND o.part_id = of_part AND o.hold_expires_at IS NOT NULL
    UNION SELECT p.mailbox FROM places p WHERE p.is_offered),
  given AS (
    SELECT a.mailbox, a.pause_until, a.cause FROM abandoned_holds a WHERE a.part_id = of_part
      AND (a.pause_until > now() OR a.cause LIKE 'offer %' AND a.created_at > now() - interval '3 days')),
  wishes AS (
    SELECT p.*, t.trust, CASE WHEN p.is_offered THEN p.quantity
      ELSE least(p.quantity, greatest(part.smallest, floor(t.trust / part.price_cents)))::integer END AS units
    FROM part, places p JOIN trusts t ON t.of_mailbox = p.mailbox),
  standing AS (
    SELECT w.*, w.is_offered OR w.trust >= w.units::numeric * part.price_cents AS is_covered,
      mailbox_key(w.mailbox) IN (SELECT g.mailbox FROM given g WHERE g.pause_until > now()) AS pauses,
      mailbox_key(w.mailbox) IN (SELECT g.mailbox FROM given g WHERE g.cause LIKE 'offer %') AS let_go,
      w.mailbox IN (SELECT h.mailbox FROM holders h) AS is_holder
    FROM part, wishes w),
  -- trust is less what is offered
  takers AS (
    SELECT s.mailbox, s.networks FROM standing s
      WHERE CASE WHEN s.is_offered THEN s.trust < 0 ELSE NOT s.is_covered END
    UNION ALL SELECT u.mailbox, o.networks FROM orders o JOIN users u ON u._id = o.user_id
      WHERE o.part_id = of_part AND o.hold_expires_at > now() AND u.mailbox IN (SELECT uncovered(ARRAY(
        SELECT DISTINCT v.mailbox FROM orders p JOIN users v ON v._id = p.user_id
        WHERE p.part_id = of_part AND p.hold_expires_at > now())))),
  crowded AS MATERIALIZED (
    SELECT network FROM takers t, unnest(t.networks) network GROUP BY network HAVING count(DISTINCT t.mailbox) > 3),
  -- a join, which PostgreSQL hashes: a crowd may have thousands of networks
  crowd AS MATERIALIZED (SELECT DISTINCT s._id FROM standing s, unnest(s.networks) n (network) JOIN crowded USING (network)),
  ranked AS (
    SELECT s.*, NOT s.is_offered AND (s.pauses OR NOT s.is_covered AND (s.is_holder OR s.let_go)) AS is_behind,
      NOT s.is_covered AND c._id IS NOT NULL AS is_crowded
    FROM standing s LEFT JOIN crowd c ON c._id = s._id)
  SELECT r._id, r.mailbox, r.is_offered, r.is_covered, r.is_behind, r.is_crowded, r.units,
    (row_number() OVER (ORDER BY NOT r.is_offered, r.is_behind, r.is_crowded, r.turn))::integer
  FROM ranked r;
END $$;
