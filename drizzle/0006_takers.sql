-- What was paid counts for the mailbox that paid it, offers count as holds do, and what goes to confirmed addresses goes first.
DROP INDEX "orders_of_payers";
--> statement-breakpoint
DROP INDEX "orders_networks";
--> statement-breakpoint
DROP INDEX "part_index_words";
--> statement-breakpoint
DROP INDEX "picture_queue_due";
--> statement-breakpoint
ALTER TABLE "mail_queue" ALTER COLUMN "urgency" DROP EXPRESSION;
--> statement-breakpoint
ALTER TABLE "mail_queue" ALTER COLUMN "urgency" SET DEFAULT 3;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payer" "bytea";
--> statement-breakpoint
ALTER TABLE "orders" DISABLE TRIGGER USER;
--> statement-breakpoint
UPDATE "orders" o SET "payer" = mailbox_key(u.mailbox) FROM "users" u WHERE u._id = o.user_id AND o.status IN ('paid', 'shipped', 'refunded') AND u.deleted_at IS NULL;
--> statement-breakpoint
ALTER TABLE "orders" ENABLE TRIGGER USER;
--> statement-breakpoint
CREATE INDEX "user_mailbox" ON "identity"."user" USING btree (mailbox_of("email"));
--> statement-breakpoint
CREATE INDEX "orders_of_payers" ON "orders" USING btree ("payer") WHERE "orders"."status" in ('paid', 'shipped');
--> statement-breakpoint
CREATE INDEX "orders_networks" ON "orders" USING gin ("networks") WITH (fastupdate=false) WHERE "orders"."hold_expires_at" is not null;
--> statement-breakpoint
CREATE INDEX "part_index_words" ON "part_index" USING gin ("words") WITH (fastupdate=false) WHERE "part_index"."is_on_sale";
--> statement-breakpoint
CREATE INDEX "picture_queue_due" ON "picture_queue" USING btree (("address" <> ''),"place","created_at") WHERE "picture_queue"."added_at" is null and "picture_queue"."given_up_at" is null;
--> statement-breakpoint
-- statements of triggers.sql
CREATE FUNCTION note_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.payer := (SELECT mailbox_key(mailbox) FROM users WHERE _id = NEW.user_id);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_note_payer BEFORE INSERT ON orders
  FOR EACH ROW WHEN (NEW.status IN ('paid', 'shipped')) EXECUTE FUNCTION note_payer();
--> statement-breakpoint
CREATE TRIGGER orders_note_payer_later BEFORE UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status = 'unpaid' AND NEW.status = 'paid') EXECUTE FUNCTION note_payer();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION has_paid(of_mailbox text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM orders o
    WHERE o.payer = mailbox_key(of_mailbox) AND o.status IN ('paid', 'shipped')
      AND NOT EXISTS (SELECT FROM audit_log a WHERE a.order_id = o._id AND a.action = 'payment disputed'));
END $$;
--> statement-breakpoint
CREATE FUNCTION neighbours_of(of_mailbox text, of_part uuid, of_networks text[]) RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  neighbours text[] := '{}';
  holder text;
BEGIN
  FOR holder IN SELECT u.mailbox FROM orders o JOIN users u ON u._id = o.user_id
    WHERE o.networks && of_networks AND o.part_id = of_part AND o.hold_expires_at > now() AND u.mailbox <> of_mailbox
    UNION ALL SELECT u.mailbox FROM queue_places q JOIN users u ON u._id = q.user_id
    WHERE q.networks && of_networks AND q.part_id = of_part AND q.offered_at IS NOT NULL AND u.mailbox <> of_mailbox
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
      FROM unnest(mailboxes) a (mailbox) JOIN orders o ON o.payer = mailbox_key(a.mailbox)
      WHERE o.status IN ('paid', 'shipped') AND NOT EXISTS (SELECT FROM audit_log l WHERE l.order_id = o._id AND l.action = 'payment disputed')
    UNION ALL SELECT a.mailbox, -o.total_price
      FROM accounts a JOIN orders o ON o.user_id = a._id WHERE o.hold_expires_at > now()
    UNION ALL SELECT a.mailbox, -q.quantity::numeric * p.price
      FROM accounts a JOIN queue_places q ON q.user_id = a._id JOIN parts p ON p._id = q.part_id
      WHERE q.offered_at IS NOT NULL)
  SELECT m, coalesce(sum(s.dollars), 0) FROM unnest(mailboxes) m LEFT JOIN sums s ON s.mailbox = m GROUP BY m;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION guard_queue_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW._id, NEW.user_id, NEW.part_id, NEW.turn) IS DISTINCT FROM (OLD._id, OLD.user_id, OLD.part_id, OLD.turn)
      OR (OLD.offered_at IS NOT NULL
        AND (NEW.quantity, NEW.wanted_quantity, NEW.offered_at)
          IS DISTINCT FROM (OLD.quantity, OLD.wanted_quantity, OLD.offered_at)) THEN
      RAISE EXCEPTION 'place %: whose it is, and what was offered, is frozen', OLD._id
        USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.offered_at IS NULL AND NEW.offered_at IS NOT NULL THEN
      NEW.wanted_quantity := CASE WHEN NEW.quantity < OLD.quantity THEN OLD.quantity END;
      IF NEW.quantity > OLD.quantity THEN
        RAISE EXCEPTION 'place %: it waits for fewer units', OLD._id USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END IF;
    IF NEW.quantity = OLD.quantity THEN
      RETURN NEW;
    END IF;
  ELSIF NEW.offered_at IS NOT NULL THEN
    RAISE EXCEPTION 'a place begins without an offer' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM FROM users WHERE _id = NEW.user_id AND email_verified AND disabled_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user %: the queue needs a verified address', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_places_verified';
  END IF;
  PERFORM FROM parts WHERE _id = NEW.part_id AND deleted_at IS NULL AND state = 'on sale'
    AND minimum_order_quantity <= NEW.quantity AND on_hand - reserved < NEW.quantity FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'part %: there is no waiting for % units', NEW.part_id, NEW.quantity
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_places_sold_out';
  END IF;
  RETURN NEW;
END $$;
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
  -- trust is less what is offered
  takers AS (
    SELECT s.mailbox, s.networks FROM standing s
      WHERE CASE WHEN s.is_offered THEN s.trust < 0 ELSE NOT s.is_covered END
    UNION ALL SELECT u.mailbox, o.networks FROM orders o JOIN users u ON u._id = o.user_id
      WHERE o.part_id = of_part AND o.hold_expires_at > now() AND NOT has_paid(u.mailbox)),
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION bound_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address CONSTANT text := lower(NEW.recipient);
  mailbox CONSTANT text := mailbox_of(address);
  needs_no_login CONSTANT boolean := NEW.template IN ('verify-email', 'change-email', 'reset-password');
  is_confirmed boolean;
  is_own boolean;
  same_hour integer;
  same_day integer;
  hour integer;
  day integer;
BEGIN
  NEW.mailbox := mailbox_key(mailbox);
  NEW.turn := greatest(now(), (SELECT max(m.turn) + interval '1 minute' FROM mail_queue m
    WHERE m.mailbox = NEW.mailbox AND m.created_at > now() - interval '1 day'));
  is_confirmed := EXISTS (SELECT FROM users u WHERE u.email = address AND u.email_verified);
  NEW.urgency := CASE
    WHEN NEW.template IN ('verify-email', 'change-email', 'reset-password', 'password-changed', 'address-changed')
      THEN CASE WHEN is_confirmed THEN 0 ELSE 2 END
    WHEN NEW.template IN ('order-paid', 'order-refunded', 'refund-failed', 'payment-returned', 'order-shipped') THEN 1
    ELSE 3 END;
  IF NOT needs_no_login AND NEW.template NOT IN ('password-changed', 'address-changed', 'order-booked', 'hold-ended',
    'order-ending', 'payment-reminder', 'queue-offer', 'queue-ended') THEN
    RETURN NEW;
  END IF;
  is_own := address NOT LIKE '%+%';
  NEW.quota := mailbox_key(CASE
    WHEN is_confirmed AND NOT needs_no_login THEN 'account of ' || mailbox
    WHEN is_confirmed THEN 'address ' || address
    WHEN is_own THEN 'address ' || mailbox
    ELSE 'other spellings of ' || mailbox END);
  -- the last lock of every transaction that takes it
  PERFORM pg_advisory_xact_lock(hashtextextended('mails of ' || encode(NEW.quota, 'hex'), 0));
  SELECT count(*) FILTER (WHERE m.template = NEW.template AND m.created_at > now() - interval '1 hour'),
      count(*) FILTER (WHERE m.template = NEW.template),
      count(*) FILTER (WHERE m.created_at > now() - interval '1 hour'), count(*) INTO same_hour, same_day, hour, day
    FROM mail_queue m WHERE m.quota = NEW.quota AND m.created_at > now() - interval '1 day';
  RETURN CASE WHEN CASE
    WHEN is_confirmed AND needs_no_login THEN same_hour < 5 AND same_day < 15
    WHEN is_confirmed THEN hour < 20 AND day < 60
    WHEN is_own THEN same_hour < 5 AND hour < 10 AND day < 20
    ELSE hour < 4 AND day < 8 END OR needs_no_login AND NOT is_confirmed
      AND address IN (SELECT i.email FROM identity."user" i WHERE mailbox_of(i.email) = mailbox
        ORDER BY i.created_at, i.id LIMIT 2)
      -- a blank one went to an account that was deleted
      AND NOT EXISTS (SELECT FROM mail_queue m WHERE m.mailbox = NEW.mailbox AND m.template = NEW.template
        AND (m.recipient = NEW.recipient OR m.text = '') AND m.created_at > now() - interval '1 hour') THEN NEW END;
END $$;
