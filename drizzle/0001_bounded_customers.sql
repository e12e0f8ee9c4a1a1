-- What a mailbox that never paid can take is bounded: its name, what it abandoned, the order of queues.
CREATE OR REPLACE FUNCTION mailbox_of(address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com') THEN replace(name, '.', '') || '@gmail.com'
    ELSE name || '@' || domain END
  FROM (VALUES (split_part(split_part(lower(address), '@', 1), '+', 1), split_part(lower(address), '@', 2)))
    AS halves (name, domain)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION mailbox_key(mailbox text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(convert_to(mailbox, 'UTF8'))
$$;
--> statement-breakpoint
CREATE TABLE "abandoned_holds" (
	"_id" bigserial PRIMARY KEY NOT NULL,
	"mailbox" "bytea" NOT NULL,
	"part_id" uuid NOT NULL,
	"order_id" uuid,
	"cause" text NOT NULL,
	"pause_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "abandoned_holds_cause" CHECK ("abandoned_holds"."cause" in ('hold expired', 'hold deleted', 'offer expired', 'offer left', 'released'))
);
--> statement-breakpoint
ALTER TABLE "queue_places" ADD COLUMN "wanted_quantity" integer;--> statement-breakpoint
ALTER TABLE "queue_places" ADD COLUMN "networks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mailbox" text GENERATED ALWAYS AS (case when email_verified then mailbox_of(email) else _id::text end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "abandoned_holds" ADD CONSTRAINT "abandoned_holds_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "abandoned_holds" ADD CONSTRAINT "abandoned_holds_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "abandoned_holds_mailbox" ON "abandoned_holds" USING btree ("mailbox","created_at");--> statement-breakpoint
CREATE INDEX "abandoned_holds_order" ON "abandoned_holds" USING btree ("order_id") WHERE "abandoned_holds"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "abandoned_holds_part" ON "abandoned_holds" USING btree ("part_id","pause_until");--> statement-breakpoint
CREATE INDEX "orders_of_payers" ON "orders" USING btree ("user_id") WHERE "orders"."status" in ('paid', 'shipped');--> statement-breakpoint
CREATE INDEX "users_mailbox" ON "users" USING btree ("mailbox");--> statement-breakpoint
-- Holds that ran out within the last day go on counting.
INSERT INTO "abandoned_holds" ("mailbox", "part_id", "order_id", "cause", "pause_until", "created_at")
  SELECT mailbox_key(u."mailbox"), o."part_id", o."_id", 'hold expired',
    coalesce(o."hold_limit_at", o."hold_ran_out_at") + interval '1 hour', o."hold_ran_out_at"
  FROM "orders" o JOIN "users" u ON u."_id" = o."user_id" WHERE o."hold_ran_out_at" > now() - interval '1 day';--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "hold_ran_out_at";--> statement-breakpoint
ALTER TABLE "queue_places" ADD CONSTRAINT "queue_places_wanted" CHECK ("queue_places"."wanted_quantity" is null or ("queue_places"."offered_at" is not null and "queue_places"."wanted_quantity" between "queue_places"."quantity" + 1 and 100000));
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION has_paid(of_mailbox text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM users u JOIN orders o ON o.user_id = u._id
    WHERE u.mailbox = of_mailbox AND o.status IN ('paid', 'shipped'));
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
      NEW.networks := '{}';
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
  place_id uuid, of_mailbox text, is_offered boolean, is_payer boolean, is_behind boolean, units integer, "position" integer
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  WITH places AS (
    SELECT q._id, q.turn, q.quantity, q.networks, q.offered_at IS NOT NULL AS is_offered, u.mailbox
    FROM queue_places q JOIN users u ON u._id = q.user_id WHERE q.part_id = of_part),
  accounts AS (SELECT DISTINCT u._id, u.mailbox FROM places p JOIN users u ON u.mailbox = p.mailbox),
  payers AS (
    SELECT DISTINCT a.mailbox FROM accounts a JOIN orders o ON o.user_id = a._id AND o.status IN ('paid', 'shipped')),
  holders AS (
    SELECT a.mailbox FROM accounts a JOIN orders o ON o.user_id = a._id AND o.hold_limit_at > now()
      AND o.part_id = of_part AND o.hold_expires_at IS NOT NULL
    UNION SELECT p.mailbox FROM places p WHERE p.is_offered),
  standing AS (
    SELECT p.*, p.mailbox IN (SELECT y.mailbox FROM payers y) AS is_payer,
      EXISTS (SELECT FROM abandoned_holds a
        WHERE a.part_id = of_part AND a.pause_until > now() AND a.mailbox = mailbox_key(p.mailbox)) AS gave_back,
      p.mailbox IN (SELECT h.mailbox FROM holders h) AS is_holder
    FROM places p),
  crowded AS (
    SELECT network FROM standing s, unnest(s.networks) network WHERE NOT s.is_payer
    GROUP BY network HAVING count(DISTINCT s.mailbox) > 3),
  ranked AS (
    SELECT s.*, NOT s.is_offered AND (s.gave_back OR (s.is_holder AND NOT s.is_payer)) AS is_behind,
      NOT s.is_payer AND EXISTS (SELECT FROM crowded c WHERE c.network = ANY (s.networks)) AS is_crowded
    FROM standing s)
  SELECT r._id, r.mailbox, r.is_offered, r.is_payer, r.is_behind,
    CASE WHEN r.is_offered OR r.is_payer THEN r.quantity ELSE least(r.quantity, p.minimum_order_quantity) END,
    (row_number() OVER (ORDER BY NOT r.is_offered, r.is_behind, r.is_crowded, r.turn))::integer
  FROM ranked r, parts p WHERE p._id = of_part;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION may_be_offered(of_mailbox text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  most integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('offers to ' || of_mailbox, 0)) THEN
    RETURN false;
  END IF;
  SELECT CASE WHEN count(*) < 3 THEN 3 ELSE 1 END INTO most FROM abandoned_holds
    WHERE mailbox = mailbox_key(of_mailbox) AND created_at > now() - interval '1 day' AND cause <> 'released';
  RETURN most > (SELECT count(*) FROM users u JOIN queue_places q ON q.user_id = u._id
    WHERE u.mailbox = of_mailbox AND q.offered_at IS NOT NULL);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION offer_units(of_part uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free integer;
  smallest integer;
  place record;
  others_wait boolean := false;
  served text[] := '{}';
BEGIN
  SELECT on_hand - reserved, minimum_order_quantity INTO free, smallest FROM parts
    WHERE _id = of_part AND deleted_at IS NULL AND state = 'on sale' FOR NO KEY UPDATE;
  IF NOT FOUND OR free < smallest
    OR NOT EXISTS (SELECT FROM queue_places WHERE part_id = of_part AND offered_at IS NULL) THEN
    RETURN;
  END IF;
  FOR place IN SELECT * FROM queue_of(of_part) WHERE NOT is_offered ORDER BY "position"
  LOOP
    EXIT WHEN free < smallest OR (place.is_behind AND others_wait);
    CONTINUE WHEN place.units < smallest OR (NOT place.is_payer AND place.of_mailbox = ANY (served));
    IF place.units > free THEN
      others_wait := others_wait OR NOT place.is_behind;
      CONTINUE;
    END IF;
    CONTINUE WHEN NOT (place.is_payer OR may_be_offered(place.of_mailbox));
    UPDATE queue_places SET offered_at = now(), quantity = place.units
      WHERE _id = place.place_id AND offered_at IS NULL AND quantity >= place.units;
    IF FOUND THEN
      free := free - place.units;
      served := served || place.of_mailbox;
    END IF;
  END LOOP;
END $$;
