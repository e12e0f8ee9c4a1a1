-- What grows with what strangers write is found by an index, and a crowd in a queue by a join.
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id") WHERE "audit_log"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "reviews_order" ON "reviews" USING btree ("order_id") WHERE "reviews"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_messages_of_order" ON "webhook_messages" USING btree ("order_id") WHERE "webhook_messages"."order_id" is not null;
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION queue_of(of_part uuid) RETURNS TABLE (
  place_id uuid, of_mailbox text, is_offered boolean, is_covered boolean, is_behind boolean, units integer, "position" integer
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  WITH part AS (SELECT price, minimum_order_quantity AS smallest FROM parts WHERE _id = of_part),
  places AS (
    SELECT q._id, q.turn, q.quantity, q.networks, q.offered_at IS NOT NULL AS is_offered, u.mailbox
    FROM queue_places q JOIN users u ON u._id = q.user_id WHERE q.part_id = of_part),
  accounts AS (SELECT DISTINCT u._id, u.mailbox FROM places p JOIN users u ON u.mailbox = p.mailbox),
  trusts AS (SELECT t.* FROM trust_of(ARRAY(SELECT DISTINCT p.mailbox FROM places p)) t),
  holders AS (
    SELECT a.mailbox FROM accounts a JOIN orders o ON o.user_id = a._id AND o.hold_limit_at > now()
      AND o.part_id = of_part AND o.hold_expires_at IS NOT NULL
    UNION SELECT p.mailbox FROM places p WHERE p.is_offered),
  wishes AS (
    SELECT p.*, t.trust, CASE WHEN p.is_offered THEN p.quantity
      ELSE least(p.quantity, greatest(part.smallest, floor(t.trust / part.price)))::integer END AS units
    FROM part, places p JOIN trusts t ON t.of_mailbox = p.mailbox),
  standing AS (
    SELECT w.*, w.is_offered OR w.trust >= w.units::numeric * part.price AS is_covered,
      EXISTS (SELECT FROM abandoned_holds a
        WHERE a.part_id = of_part AND a.pause_until > now() AND a.mailbox = mailbox_key(w.mailbox)) AS gave_back,
      w.mailbox IN (SELECT h.mailbox FROM holders h) AS is_holder
    FROM part, wishes w),
  crowded AS (
    SELECT network FROM standing s, unnest(s.networks) network WHERE NOT s.is_covered
    GROUP BY network HAVING count(DISTINCT s.mailbox) > 3),
  -- a join, which PostgreSQL hashes: a crowd may have thousands of networks
  crowd AS (SELECT DISTINCT s._id FROM standing s, unnest(s.networks) n (network) JOIN crowded USING (network)),
  ranked AS (
    SELECT s.*, NOT s.is_offered AND (s.gave_back OR (s.is_holder AND NOT s.is_covered)) AS is_behind,
      NOT s.is_covered AND c._id IS NOT NULL AS is_crowded
    FROM standing s LEFT JOIN crowd c ON c._id = s._id)
  SELECT r._id, r.mailbox, r.is_offered, r.is_covered, r.is_behind, r.units,
    (row_number() OVER (ORDER BY NOT r.is_offered, r.is_behind, r.is_crowded, r.turn))::integer
  FROM ranked r;
END $$;
