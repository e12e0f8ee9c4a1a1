-- Who books beside thousands of holds of the same network waits for none of them.
DROP INDEX "orders_networks";--> statement-breakpoint
CREATE INDEX "orders_networks" ON "orders" USING gin ("networks") WITH (fastupdate=false) WHERE "orders"."hold_expires_at" is not null;
--> statement-breakpoint
-- statements of triggers.sql
CREATE FUNCTION neighbours_of(of_mailbox text, of_part uuid, of_networks text[]) RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  neighbours text[] := '{}';
  holder text;
BEGIN
  FOR holder IN SELECT u.mailbox FROM orders o JOIN users u ON u._id = o.user_id
    WHERE o.networks && of_networks AND o.part_id = of_part AND o.hold_expires_at > now() AND u.mailbox <> of_mailbox
  LOOP
    CONTINUE WHEN holder = ANY (neighbours) OR has_paid(holder);
    neighbours := neighbours || holder;
    EXIT WHEN cardinality(neighbours) = 3;
  END LOOP;
  RETURN cardinality(neighbours);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION trust_of(mailboxes text[]) RETURNS TABLE (of_mailbox text, trust numeric) LANGUAGE plpgsql STABLE
  -- every booking calls it: to plan it anew costs more than to run it
  SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  WITH accounts AS (SELECT u._id, u.mailbox FROM users u WHERE u.mailbox = ANY (mailboxes)),
  sums AS (
    SELECT a.mailbox, o.total_price - o.refunded_cents / 100.0 AS dollars
      FROM accounts a JOIN orders o ON o.user_id = a._id WHERE o.status IN ('paid', 'shipped')
        AND NOT EXISTS (SELECT FROM audit_log l WHERE l.order_id = o._id AND l.action = 'payment disputed')
    UNION ALL SELECT a.mailbox, -o.total_price
      FROM accounts a JOIN orders o ON o.user_id = a._id WHERE o.hold_expires_at > now()
    UNION ALL SELECT a.mailbox, -q.quantity::numeric * p.price
      FROM accounts a JOIN queue_places q ON q.user_id = a._id JOIN parts p ON p._id = q.part_id
      WHERE q.offered_at IS NOT NULL)
  SELECT m, coalesce(sum(s.dollars), 0) FROM unnest(mailboxes) m LEFT JOIN sums s ON s.mailbox = m GROUP BY m;
END $$;
