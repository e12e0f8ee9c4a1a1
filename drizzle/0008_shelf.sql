-- On hand falls when units are shipped, not when they are paid.
ALTER TABLE "stock_movements" DROP CONSTRAINT "stock_movements_type";
--> statement-breakpoint
ALTER TABLE "parts" ADD COLUMN "to_ship" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "parts" ADD CONSTRAINT "parts_to_ship" CHECK ("parts"."to_ship" >= 0 and "parts"."to_ship" <= "parts"."reserved");
--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_type" CHECK (case "stock_movements"."type"
        when 'receive' then "stock_movements"."on_hand_delta" > 0 and "stock_movements"."reserved_delta" = 0
        when 'adjust' then "stock_movements"."reserved_delta" = 0
        when 'hold' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" > 0 and "stock_movements"."order_id" is not null
        when 'release' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" < 0 and "stock_movements"."order_id" is not null
        when 'sell' then "stock_movements"."on_hand_delta" <= 0 and "stock_movements"."reserved_delta" = "stock_movements"."on_hand_delta" and "stock_movements"."order_id" is not null
        when 'ship' then "stock_movements"."on_hand_delta" < 0 and "stock_movements"."reserved_delta" = "stock_movements"."on_hand_delta" and "stock_movements"."order_id" is not null
        when 'write off' then "stock_movements"."on_hand_delta" < 0 and "stock_movements"."reserved_delta" = "stock_movements"."on_hand_delta" and "stock_movements"."order_id" is not null
        when 'shelve' then "stock_movements"."on_hand_delta" > 0 and "stock_movements"."reserved_delta" = "stock_movements"."on_hand_delta" and "stock_movements"."order_id" is not null
        when 'restock' then ("stock_movements"."on_hand_delta" > 0 and "stock_movements"."reserved_delta" = 0 or "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" < 0)
          and "stock_movements"."order_id" is not null
        when 'offer' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" > 0 and "stock_movements"."order_id" is null
        when 'withdraw' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" < 0 and "stock_movements"."order_id" is null
        else false end);
--> statement-breakpoint
-- what is paid and not shipped lies on the shelf: it comes back on hand, to be shipped
ALTER TABLE "stock_movements" DISABLE TRIGGER USER;
--> statement-breakpoint
INSERT INTO "stock_movements" ("part_id", "order_id", "type", "on_hand_delta", "reserved_delta")
  SELECT o."part_id", o."_id", 'shelve', units, units FROM "orders" o, LATERAL (
    SELECT o."quantity" - coalesce(sum(m."on_hand_delta") FILTER (WHERE m."type" = 'restock'), 0)::int AS units
    FROM "stock_movements" m WHERE m."order_id" = o."_id") shelf
  WHERE o."status" = 'paid' AND units > 0 ORDER BY o."part_id";
--> statement-breakpoint
ALTER TABLE "stock_movements" ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "parts" DISABLE TRIGGER USER;
--> statement-breakpoint
UPDATE "parts" p SET "on_hand" = "on_hand" + units, "reserved" = "reserved" + units, "to_ship" = units FROM (
    SELECT "part_id", sum("on_hand_delta")::int AS units FROM "stock_movements" WHERE "type" = 'shelve' GROUP BY "part_id") shelf
  WHERE shelf."part_id" = p."_id";
--> statement-breakpoint
ALTER TABLE "parts" ENABLE TRIGGER USER;
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION apply_stock_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  booked integer;
  to_pack integer := 0;
  part_state text;
BEGIN
  IF NEW.order_id IS NOT NULL THEN
    SELECT quantity INTO booked FROM orders WHERE _id = NEW.order_id AND part_id = NEW.part_id;
    to_pack := CASE NEW.type WHEN 'sell' THEN booked
      WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE NEW.reserved_delta END;
    IF NEW.type = 'sell' AND NEW.on_hand_delta <> 0 THEN
      RAISE EXCEPTION 'order %: what is sold stays on the shelf until it is shipped', NEW.order_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_sold_on_shelf';
    END IF;
  END IF;
  UPDATE parts SET on_hand = on_hand + NEW.on_hand_delta, reserved = reserved + NEW.reserved_delta,
      to_ship = to_ship + coalesce(to_pack, 0)
    WHERE _id = NEW.part_id RETURNING state INTO part_state;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such part: %', NEW.part_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF NEW.type = 'hold' AND part_state = 'draft' THEN
    RAISE EXCEPTION 'part % is a draft', NEW.part_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_no_draft';
  END IF;
  IF NEW.delivery_line_id IS NOT NULL THEN
    UPDATE delivery_lines SET received = received + NEW.on_hand_delta
      WHERE _id = NEW.delivery_line_id AND part_id = NEW.part_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'line % of a delivery brings no part %', NEW.delivery_line_id, NEW.part_id
        USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;
  IF NEW.order_id IS NOT NULL AND NEW.reserved_delta <> 0 THEN
    SELECT coalesce(sum(reserved_delta), 0) INTO held FROM stock_movements WHERE order_id = NEW.order_id;
    IF booked IS NULL OR held NOT BETWEEN 0 AND booked THEN
      RAISE EXCEPTION 'order % would hold % units', NEW.order_id, held
        USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_order_hold';
    END IF;
  END IF;
  IF NEW.place_id IS NOT NULL AND (SELECT sum(reserved_delta) FROM stock_movements WHERE place_id = NEW.place_id) <> (
    SELECT coalesce(sum(quantity), 0) FROM queue_places
    WHERE _id = NEW.place_id AND part_id = NEW.part_id AND offered_at IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'place %: the offer and the ledger differ', NEW.place_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_offer';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION guard_stock_counters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.on_hand <> 0 OR NEW.reserved <> 0 OR NEW.to_ship <> 0 THEN
      RAISE EXCEPTION 'a new part starts with no stock; receive it by stock_movements'
        USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF (NEW.on_hand, NEW.reserved, NEW.to_ship) IS DISTINCT FROM (OLD.on_hand, OLD.reserved, OLD.to_ship)
    AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'stock changes only by stock_movements' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER orders_check_ledger ON orders;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_order_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders%ROWTYPE;
  held integer;
  sold integer;
  restocked integer;
  written_off integer;
  due integer;
BEGIN
  SELECT * INTO o FROM orders WHERE _id = (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
  SELECT coalesce(sum(reserved_delta), 0), count(*) FILTER (WHERE type = 'sell'),
      coalesce(sum(on_hand_delta - reserved_delta) FILTER (WHERE type = 'restock'), 0),
      coalesce(-sum(reserved_delta) FILTER (WHERE type IN ('sell', 'write off', 'shelve')), 0)
    INTO held, sold, restocked, written_off FROM stock_movements WHERE order_id = o._id;
  due := CASE WHEN o.status = 'paid' THEN o.quantity - restocked WHEN o.hold_expires_at IS NULL THEN 0 ELSE o.quantity END;
  IF o.status = 'refunded' AND o.shipped_at IS NULL AND held > 0 OR o.status = 'paid' AND held < due AND written_off > 0 THEN
    INSERT INTO stock_movements (part_id, order_id, type, on_hand_delta, reserved_delta)
      VALUES (o.part_id, o._id, CASE WHEN held > due THEN 'write off' ELSE 'shelve' END, due - held, due - held);
    held := due;
  END IF;
  IF held <> due THEN
    RAISE EXCEPTION 'order %: what it has on the shelf and the ledger differ', o._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_hold_in_ledger';
  END IF;
  IF (o.transaction_id IS NOT NULL) <> (sold = 1) THEN
    RAISE EXCEPTION 'order %: paid and sold differ', o._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_sold_in_ledger';
  END IF;
  IF o.transaction_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM payments WHERE intent_id = o.transaction_id AND order_id = o._id
      AND amount = o.total_cents AND status = 'succeeded'
  ) THEN
    RAISE EXCEPTION 'order %: paid without a payment of its total', o._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_paid_in_payments';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER orders_check_ledger AFTER INSERT OR UPDATE ON orders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_ledger('_id');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER stock_movements_check_order AFTER INSERT ON stock_movements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.order_id IS NOT NULL AND NEW.type <> 'hold')
  EXECUTE FUNCTION check_order_ledger('order_id');
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_refund_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r refunds%ROWTYPE;
  restocked bigint;
  strange bigint;
BEGIN
  IF TG_TABLE_NAME = 'refunds' THEN
    SELECT * INTO r FROM refunds WHERE _id = NEW._id;
  ELSE
    SELECT * INTO r FROM refunds WHERE _id = NEW.refund_id;
  END IF;
  SELECT coalesce(sum(m.on_hand_delta - m.reserved_delta), 0), count(*) FILTER (WHERE m.order_id <> o._id OR m.part_id <> o.part_id)
    INTO restocked, strange FROM stock_movements m JOIN payments p ON p.intent_id = r.intent_id
      JOIN orders o ON o._id = p.order_id WHERE m.refund_id = r._id;
  IF strange > 0 OR restocked NOT IN (0, r.restock)
    OR (r.state = 'requested' AND restocked > 0)
    OR (r.state IN ('pending', 'succeeded') AND restocked <> r.restock) THEN
    RAISE EXCEPTION 'refund %: restocked and the ledger differ', r._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_restocked_in_ledger';
  END IF;
  RETURN NULL;
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
  SELECT on_hand - reserved, minimum_order_quantity, price_cents, (on_hand - to_ship) / 2 INTO free, smallest, price_each, half FROM parts
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
DROP TRIGGER parts_figures_update ON parts;
--> statement-breakpoint
CREATE TRIGGER parts_figures_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    NEW.deleted_at IS NULL AND NEW.state = 'on sale'
    AND (OLD.changed_at, OLD.position, OLD.version) IS NOT DISTINCT FROM (NEW.changed_at, NEW.position, NEW.version)
    AND OLD.* IS DISTINCT FROM NEW.*
    AND ((OLD.on_hand, OLD.to_ship) = (NEW.on_hand, NEW.to_ship) OR OLD.on_hand - OLD.reserved <> NEW.on_hand - NEW.reserved)
  ) EXECUTE FUNCTION count_catalogue_change('parts', 'figures');
--> statement-breakpoint
DROP TRIGGER parts_held_update ON parts;
--> statement-breakpoint
CREATE TRIGGER parts_held_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    OLD.reserved - OLD.to_ship <> NEW.reserved - NEW.to_ship AND OLD.on_hand - OLD.reserved = NEW.on_hand - NEW.reserved
  ) EXECUTE FUNCTION count_catalogue_change('held', 'figures');
