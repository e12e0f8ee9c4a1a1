DROP INDEX "orders_to_ship";--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("paid_at","checkout_id","_id") WHERE "orders"."status" = 'paid';--> statement-breakpoint
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.part_id, NEW.quantity) IS DISTINCT FROM (OLD.user_id, OLD.part_id, OLD.quantity)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.checkout_id <> OLD.checkout_id THEN
    PERFORM FROM checkouts WHERE _id IN (OLD.checkout_id, NEW.checkout_id) ORDER BY _id FOR UPDATE;
    IF OLD.transaction_id IS NOT NULL OR EXISTS (SELECT FROM payments
      WHERE checkout_id IN (OLD.checkout_id, NEW.checkout_id) AND status = ANY ('{open,succeeded}')) THEN
      RAISE EXCEPTION 'order %: its checkout is being paid, or is paid', OLD._id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_frozen';
    END IF;
  END IF;
  IF (NEW.price_cents, NEW.total_cents) IS DISTINCT FROM (OLD.price_cents, OLD.total_cents) AND (
    OLD.status <> 'unpaid' OR NEW.status <> 'unpaid' OR OLD.hold_expires_at IS NOT NULL
    OR EXISTS (SELECT FROM payments WHERE checkout_id = OLD.checkout_id AND status = 'open')
  ) THEN
    RAISE EXCEPTION 'order %: its price is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.refunded_cents <> OLD.refunded_cents AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'order %: money goes back only by refunds', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status <> OLD.status AND NEW.refunded_cents >= OLD.refunded_cents AND (OLD.status, NEW.status) NOT IN (
    ('unpaid', 'paid'), ('unpaid', 'deleted'), ('paid', 'shipped'), ('paid', 'refunded'), ('shipped', 'refunded')
  ) THEN
    RAISE EXCEPTION 'order % can not go from % to %', OLD._id, OLD.status, NEW.status
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
DROP TRIGGER orders_end_checkout ON orders;--> statement-breakpoint
CREATE TRIGGER orders_end_checkout AFTER DELETE OR UPDATE OF checkout_id ON orders
  FOR EACH ROW EXECUTE FUNCTION end_checkout();
