-- What a mailbox may have unpaid follows from what it has paid; networks count at bookings; mails count against quotas; what
-- was deleted says when, and leaves by indexes.
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
ALTER TABLE "mail_queue" ADD COLUMN "quota" "bytea";--> statement-breakpoint
CREATE INDEX "mail_queue_quota" ON "mail_queue" USING btree ("quota","created_at") WHERE "mail_queue"."quota" is not null;
--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id") WHERE "audit_log"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "reviews_order" ON "reviews" USING btree ("order_id") WHERE "reviews"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_messages_of_order" ON "webhook_messages" USING btree ("order_id") WHERE "webhook_messages"."order_id" is not null;
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
CREATE OR REPLACE FUNCTION has_paid(of_mailbox text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM users u JOIN orders o ON o.user_id = u._id
    WHERE u.mailbox = of_mailbox AND o.status IN ('paid', 'shipped')
      AND NOT EXISTS (SELECT FROM audit_log a WHERE a.order_id = o._id AND a.action = 'payment disputed'));
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION trust_of(mailboxes text[]) RETURNS TABLE (of_mailbox text, trust numeric) LANGUAGE plpgsql STABLE AS $$
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
  place_id uuid, of_mailbox text, is_offered boolean, is_covered boolean, is_behind boolean, is_crowded boolean,
  units integer, "position" integer
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
  given AS (
    SELECT a.mailbox, a.pause_until, a.cause FROM abandoned_holds a WHERE a.part_id = of_part
      AND (a.pause_until > now() OR a.cause LIKE 'offer %' AND a.created_at > now() - interval '3 days')),
  wishes AS (
    SELECT p.*, t.trust, CASE WHEN p.is_offered THEN p.quantity
      ELSE least(p.quantity, greatest(part.smallest, floor(t.trust / part.price)))::integer END AS units
    FROM part, places p JOIN trusts t ON t.of_mailbox = p.mailbox),
  standing AS (
    SELECT w.*, w.is_offered OR w.trust >= w.units::numeric * part.price AS is_covered,
      mailbox_key(w.mailbox) IN (SELECT g.mailbox FROM given g WHERE g.pause_until > now()) AS pauses,
      mailbox_key(w.mailbox) IN (SELECT g.mailbox FROM given g WHERE g.cause LIKE 'offer %') AS let_go,
      w.mailbox IN (SELECT h.mailbox FROM holders h) AS is_holder
    FROM part, wishes w),
  crowded AS MATERIALIZED (
    SELECT network FROM standing s, unnest(s.networks) network WHERE NOT s.is_covered
    GROUP BY network HAVING count(DISTINCT s.mailbox) > 3),
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
--> statement-breakpoint
DROP FUNCTION may_be_offered(text);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION may_be_offered(of_mailbox text, cost numeric, is_smallest boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  is_covered boolean;
  most integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended(of_mailbox, 0)) THEN
    RETURN false;
  END IF;
  is_covered := cost <= (SELECT t.trust FROM trust_of(ARRAY[of_mailbox]) t);
  IF NOT (is_covered OR is_smallest) THEN
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
  price_each numeric;
  half integer;
  place record;
  served text[] := '{}';
BEGIN
  SELECT on_hand - reserved, minimum_order_quantity, price, on_hand / 2 INTO free, smallest, price_each, half FROM parts
    WHERE _id = of_part AND deleted_at IS NULL AND state = 'on sale' FOR NO KEY UPDATE;
  IF NOT FOUND OR free < smallest
    OR NOT EXISTS (SELECT FROM queue_places WHERE part_id = of_part AND offered_at IS NULL) THEN
    RETURN;
  END IF;
  FOR place IN SELECT * FROM queue_of(of_part) WHERE NOT (is_offered OR is_behind) ORDER BY "position"
  LOOP
    EXIT WHEN free < smallest;
    CONTINUE WHEN place.units NOT BETWEEN smallest AND free OR place.of_mailbox = ANY (served);
    CONTINUE WHEN place.is_crowded AND free - place.units < half;
    CONTINUE WHEN NOT may_be_offered(place.of_mailbox, place.units * price_each, place.units = smallest);
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION bound_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address CONSTANT text := lower(NEW.recipient);
  mailbox CONSTANT text := mailbox_of(address);
  needs_no_login CONSTANT boolean := NEW.template IN ('verify-email', 'change-email', 'reset-password');
  is_confirmed boolean;
  is_own boolean;
  same_hour integer;
  hour integer;
  day integer;
BEGIN
  NEW.mailbox := mailbox_key(mailbox);
  NEW.turn := greatest(now(), (SELECT max(m.turn) + interval '1 minute' FROM mail_queue m
    WHERE m.mailbox = NEW.mailbox AND m.created_at > now() - interval '1 day'));
  IF NOT needs_no_login AND NEW.template NOT IN ('password-changed', 'address-changed', 'order-booked', 'hold-ended',
    'order-ending', 'payment-reminder', 'queue-offer', 'queue-ended') THEN
    RETURN NEW;
  END IF;
  is_own := address NOT LIKE '%+%';
  is_confirmed := EXISTS (SELECT FROM users u WHERE u.email = address AND u.email_verified);
  NEW.quota := mailbox_key(CASE
    WHEN is_confirmed AND NOT needs_no_login THEN 'account of ' || mailbox
    WHEN is_confirmed THEN 'address ' || address
    WHEN is_own THEN 'address ' || mailbox
    ELSE 'other spellings of ' || mailbox END);
  -- the last lock of every transaction that takes it
  PERFORM pg_advisory_xact_lock(hashtextextended('mails of ' || encode(NEW.quota, 'hex'), 0));
  SELECT count(*) FILTER (WHERE m.template = NEW.template AND m.created_at > now() - interval '1 hour'),
      count(*) FILTER (WHERE m.created_at > now() - interval '1 hour'), count(*) INTO same_hour, hour, day
    FROM mail_queue m WHERE m.quota = NEW.quota AND m.created_at > now() - interval '1 day';
  RETURN CASE WHEN CASE
    WHEN is_confirmed AND needs_no_login THEN same_hour < 5
    WHEN is_confirmed THEN hour < 20 AND day < 60
    WHEN is_own THEN same_hour < 5 AND hour < 10 AND day < 20 OR needs_no_login AND same_hour = 0
    ELSE hour < 4 AND day < 8 END THEN NEW END;
END $$;
