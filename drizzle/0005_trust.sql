-- What a mailbox may have unpaid follows from what it has paid; networks count at bookings; what was deleted says when.
ALTER TABLE "orders" DISABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_network";
--> statement-breakpoint
DROP INDEX "orders_networks";
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "networks" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "deleted_at" timestamp (3) with time zone;
--> statement-breakpoint
UPDATE "orders" SET "networks" = array["network"] WHERE "network" is not null;
--> statement-breakpoint
-- when an order was deleted is not known: its hold or its booking ended before
UPDATE "orders" SET "deleted_at" = greatest("created_at", "hold_ended_at") WHERE "status" = 'deleted';
--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "network";
--> statement-breakpoint
ALTER TABLE "orders" ENABLE TRIGGER USER;
--> statement-breakpoint
CREATE INDEX "orders_networks" ON "orders" USING gin ("networks") WHERE "orders"."hold_expires_at" is not null;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_deleted" CHECK (("orders"."status" = 'deleted') = ("orders"."deleted_at" is not null));
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_networks_of_hold" CHECK ("orders"."networks" = '{}' or "orders"."hold_expires_at" is not null);
--> statement-breakpoint
ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_order_id_orders__id_fk";
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION mailbox_of(address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com') THEN replace(name, '.', '') || '@gmail.com'
    WHEN domain IN ('proton.me', 'protonmail.com', 'pm.me') THEN translate(name, '.-_', '') || '@proton.me'
    ELSE name || '@' || domain END
  FROM (VALUES (split_part(split_part(lower(address), '@', 1), '+', 1), split_part(lower(address), '@', 2)))
    AS halves (name, domain)
$$;
--> statement-breakpoint
-- the mailboxes of Proton are computed again
UPDATE "users" SET "email" = "email" WHERE "email" ~* '@(proton\.me|protonmail\.com|pm\.me)$';
--> statement-breakpoint
CREATE OR REPLACE FUNCTION trust_of(mailboxes text[]) RETURNS TABLE (of_mailbox text, trust numeric) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  WITH accounts AS (SELECT u._id, u.mailbox FROM users u WHERE u.mailbox = ANY (mailboxes)),
  sums AS (
    SELECT a.mailbox, o.total_price - o.refunded_cents / 100.0 AS dollars
      FROM accounts a JOIN orders o ON o.user_id = a._id WHERE o.status IN ('paid', 'shipped')
    UNION ALL SELECT a.mailbox, -o.total_price
      FROM accounts a JOIN orders o ON o.user_id = a._id WHERE o.hold_expires_at > now()
    UNION ALL SELECT a.mailbox, -q.quantity::numeric * p.price
      FROM accounts a JOIN queue_places q ON q.user_id = a._id JOIN parts p ON p._id = q.part_id
      WHERE q.offered_at IS NOT NULL)
  SELECT m, coalesce(sum(s.dollars), 0) FROM unnest(mailboxes) m LEFT JOIN sums s ON s.mailbox = m GROUP BY m;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION follow_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO abandoned_holds (mailbox, part_id, order_id, cause, pause_until, created_at)
    SELECT mailbox_key(NEW.mailbox), part_id, order_id, cause, pause_until, created_at
    FROM abandoned_holds a WHERE mailbox = mailbox_key(OLD.mailbox) AND NOT EXISTS (
      SELECT FROM abandoned_holds b WHERE b.mailbox = mailbox_key(NEW.mailbox)
        AND (b.part_id, b.cause, b.created_at) = (a.part_id, a.cause, a.created_at));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_follow_mailbox AFTER UPDATE OF email, email_verified ON users
  FOR EACH ROW WHEN ((OLD.email, OLD.email_verified) IS DISTINCT FROM (NEW.email, NEW.email_verified))
  EXECUTE FUNCTION follow_mailbox();
--> statement-breakpoint
DROP FUNCTION queue_of(uuid);
--> statement-breakpoint
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
  ranked AS (
    SELECT s.*, NOT s.is_offered AND (s.gave_back OR (s.is_holder AND NOT s.is_covered)) AS is_behind,
      NOT s.is_covered AND EXISTS (SELECT FROM crowded c WHERE c.network = ANY (s.networks)) AS is_crowded
    FROM standing s)
  SELECT r._id, r.mailbox, r.is_offered, r.is_covered, r.is_behind, r.units,
    (row_number() OVER (ORDER BY NOT r.is_offered, r.is_behind, r.is_crowded, r.turn))::integer
  FROM ranked r;
END $$;
--> statement-breakpoint
DROP FUNCTION may_be_offered(text);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION may_be_offered(of_mailbox text, is_covered boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  most integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('offers to ' || of_mailbox, 0)) THEN
    RETURN false;
  END IF;
  SELECT CASE WHEN count(*) >= 3 THEN 1 WHEN NOT is_covered THEN 3 END INTO most FROM abandoned_holds
    WHERE mailbox = mailbox_key(of_mailbox) AND created_at > now() - interval '1 day' AND cause <> 'released';
  RETURN most IS NULL OR most > (SELECT count(*) FROM users u JOIN queue_places q ON q.user_id = u._id
    WHERE u.mailbox = of_mailbox AND q.offered_at IS NOT NULL);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION offer_units(of_part uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free integer;
  smallest integer;
  place record;
  served text[] := '{}';
BEGIN
  SELECT on_hand - reserved, minimum_order_quantity INTO free, smallest FROM parts
    WHERE _id = of_part AND deleted_at IS NULL AND state = 'on sale' FOR NO KEY UPDATE;
  IF NOT FOUND OR free < smallest
    OR NOT EXISTS (SELECT FROM queue_places WHERE part_id = of_part AND offered_at IS NULL) THEN
    RETURN;
  END IF;
  FOR place IN SELECT * FROM queue_of(of_part) WHERE NOT (is_offered OR is_behind) ORDER BY "position"
  LOOP
    EXIT WHEN free < smallest;
    CONTINUE WHEN place.units NOT BETWEEN smallest AND free OR place.of_mailbox = ANY (served);
    CONTINUE WHEN NOT may_be_offered(place.of_mailbox, place.is_covered);
    UPDATE queue_places SET offered_at = now(), quantity = place.units
      WHERE _id = place.place_id AND offered_at IS NULL AND quantity >= place.units;
    IF FOUND THEN
      free := free - place.units;
      served := served || place.of_mailbox;
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'orders' THEN
    IF OLD.deleted_at < now() - interval '90 days' THEN
      RETURN OLD;
    END IF;
  ELSIF OLD.order_id IS NOT NULL AND NOT EXISTS (SELECT FROM orders WHERE _id = OLD.order_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER audit_log_append_only ON audit_log;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_never_removed BEFORE DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_removal();
