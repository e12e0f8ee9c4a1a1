-- Stock changes only by a line in stock_movements. The trigger applies the line to the part's counters, whose CHECK
-- constraints refuse what is not there; nothing else may write the counters, and a line is never changed or removed.
CREATE FUNCTION apply_stock_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  booked integer;
BEGIN
  UPDATE parts SET on_hand = on_hand + NEW.on_hand_delta, reserved = reserved + NEW.reserved_delta
    WHERE _id = NEW.part_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such part: %', NEW.part_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF NEW.order_id IS NOT NULL AND NEW.reserved_delta <> 0 THEN
    SELECT quantity INTO booked FROM orders WHERE _id = NEW.order_id AND part_id = NEW.part_id;
    SELECT coalesce(sum(reserved_delta), 0) INTO held FROM stock_movements WHERE order_id = NEW.order_id;
    IF booked IS NULL OR held NOT IN (0, booked) THEN
      RAISE EXCEPTION 'order % would hold % units', NEW.order_id, held
        USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_order_hold';
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stock_movements_apply AFTER INSERT ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION apply_stock_movement();
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER stock_movements_append_only BEFORE UPDATE OR DELETE ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION guard_stock_counters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.on_hand <> 0 OR NEW.reserved <> 0 THEN
      RAISE EXCEPTION 'a new part starts with no stock; receive it by stock_movements'
        USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF (NEW.on_hand, NEW.reserved) IS DISTINCT FROM (OLD.on_hand, OLD.reserved) AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'stock changes only by stock_movements' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER parts_guard_stock BEFORE INSERT OR UPDATE ON parts
  FOR EACH ROW EXECUTE FUNCTION guard_stock_counters();
--> statement-breakpoint
-- What was booked is frozen, and an order's life follows the table in contracts/orders.ts.
CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.part_id, NEW.quantity, NEW.price, NEW.total_price)
    IS DISTINCT FROM (OLD.user_id, OLD.part_id, OLD.quantity, OLD.price, OLD.total_price)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (
    ('unpaid', 'paid'), ('unpaid', 'deleted'), ('paid', 'shipped'), ('paid', 'refunded'), ('shipped', 'refunded')
  ) THEN
    RAISE EXCEPTION 'order % can not go from % to %', OLD._id, OLD.status, NEW.status
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_guard BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
--> statement-breakpoint
CREATE TRIGGER orders_never_removed BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- At commit an order, the ledger and the payments say the same: a clock means held units, paid means sold and charged.
CREATE FUNCTION check_order_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders%ROWTYPE;
  held bigint;
  sold bigint;
BEGIN
  SELECT * INTO o FROM orders WHERE _id = NEW._id;
  SELECT coalesce(sum(reserved_delta), 0), count(*) FILTER (WHERE kind = 'sell') INTO held, sold
    FROM stock_movements WHERE order_id = NEW._id;
  IF held <> (CASE WHEN o.hold_expires_at IS NULL THEN 0 ELSE o.quantity END) THEN
    RAISE EXCEPTION 'order %: the hold and the ledger differ', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_hold_in_ledger';
  END IF;
  IF (o.transaction_id IS NOT NULL) <> (sold = 1) THEN
    RAISE EXCEPTION 'order %: paid and sold differ', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_sold_in_ledger';
  END IF;
  IF o.transaction_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM payments WHERE intent_id = o.transaction_id AND order_id = o._id
      AND amount = o.total_price::bigint * 100
      AND (status = 'succeeded' OR (status = 'refunded' AND o.status = 'refunded'))
  ) THEN
    RAISE EXCEPTION 'order %: paid without a payment of its total', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_paid_in_payments';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER orders_check_ledger AFTER INSERT OR UPDATE ON orders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_ledger();
--> statement-breakpoint
-- Every process that keeps a rendered catalogue hears that it changed.
CREATE FUNCTION announce_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', TG_TABLE_NAME);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER parts_announce AFTER INSERT OR UPDATE OR DELETE ON parts
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue();
--> statement-breakpoint
CREATE TRIGGER reviews_announce AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue();
