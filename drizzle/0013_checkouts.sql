CREATE TABLE "checkouts" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkouts_customer" UNIQUE("_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "refund_lines" (
	"refund_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"restock" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "refund_lines_refund_id_order_id_pk" PRIMARY KEY("refund_id","order_id"),
	CONSTRAINT "refund_lines_amount" CHECK ("refund_lines"."amount" > 0),
	CONSTRAINT "refund_lines_restock" CHECK ("refund_lines"."restock" >= 0)
);
--> statement-breakpoint
INSERT INTO "refund_lines" ("refund_id", "order_id", "amount", "restock")
  SELECT r."_id", p."order_id", r."amount", r."restock" FROM "refunds" r JOIN "payments" p ON p."intent_id" = r."intent_id" AND p."status" = 'succeeded';--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_transaction_id_unique";--> statement-breakpoint
ALTER TABLE "stock_movements" DROP CONSTRAINT "stock_restocked_once";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_restock";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_cause";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_order_id_orders__id_fk";
--> statement-breakpoint
ALTER TABLE "stock_movements" DROP CONSTRAINT "stock_movements_refund_id_refunds__id_fk";
--> statement-breakpoint
DROP INDEX "payments_order";--> statement-breakpoint
DROP INDEX "payments_one_open";--> statement-breakpoint
DROP INDEX "payments_one_succeeded";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "checkout_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
-- every order that there is was paid by itself
INSERT INTO "checkouts" ("_id", "user_id", "created_at") SELECT "checkout_id", "user_id", "created_at" FROM "orders";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "checkout_id" uuid;--> statement-breakpoint
UPDATE "payments" p SET "checkout_id" = o."checkout_id" FROM "orders" o WHERE o."_id" = p."order_id";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "checkout_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_refund_id_refunds__id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_lines_order" ON "refund_lines" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_checkout_of_customer" FOREIGN KEY ("checkout_id","user_id") REFERENCES "public"."checkouts"("_id","user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_checkout_id_checkouts__id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_restocked_by_line" FOREIGN KEY ("refund_id","order_id") REFERENCES "public"."refund_lines"("refund_id","order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_checkout" ON "orders" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "orders_transaction" ON "orders" USING btree ("transaction_id") WHERE "orders"."transaction_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_checkout" ON "payments" USING btree ("checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("checkout_id") WHERE "payments"."status" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_succeeded" ON "payments" USING btree ("checkout_id") WHERE "payments"."status" = 'succeeded';--> statement-breakpoint
ALTER TABLE "payments" DROP COLUMN "order_id";--> statement-breakpoint
ALTER TABLE "refunds" DROP COLUMN "restock";--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_restocked_once" UNIQUE("refund_id","order_id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_cause" CHECK (case "refunds"."cause"
        when 'admin' then num_nulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        when 'unmatched_payment' then "refunds"."reason" is not null
          and num_nonnulls("refunds"."requested_by", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        when 'provider' then "refunds"."state" <> 'requested'
          and num_nonnulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        else false end);
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION begin_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO checkouts (_id, user_id) VALUES (NEW.checkout_id, NEW.user_id) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    PERFORM FROM checkouts WHERE _id = NEW.checkout_id FOR UPDATE;
    IF EXISTS (SELECT FROM payments WHERE checkout_id = NEW.checkout_id AND status IN ('open', 'succeeded')) THEN
      RAISE EXCEPTION 'checkout %: it is being paid, and takes no more orders', NEW.checkout_id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_frozen';
    END IF;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_begin_checkout BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION begin_checkout();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION end_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM checkouts c WHERE c._id = OLD.checkout_id AND NOT EXISTS (SELECT FROM orders WHERE checkout_id = c._id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_end_checkout AFTER DELETE ON orders FOR EACH ROW EXECUTE FUNCTION end_checkout();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION due_of(of_checkout uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(total_cents), 0) FROM orders WHERE checkout_id = of_checkout AND status <> 'deleted'
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.checkout_id, NEW.part_id, NEW.quantity)
      IS DISTINCT FROM (OLD.user_id, OLD.checkout_id, OLD.part_id, OLD.quantity)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
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
END $$;
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
    SELECT FROM payments WHERE intent_id = o.transaction_id AND checkout_id = o.checkout_id
      AND amount = due_of(o.checkout_id) AND status = 'succeeded'
  ) THEN
    RAISE EXCEPTION 'order %: paid without a payment of its total', o._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_paid_in_payments';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE
    WHEN TG_OP = 'INSERT' THEN 'order.booked'
    WHEN NEW.refunded_cents > OLD.refunded_cents THEN 'order.refunded'
    WHEN NEW.refunded_cents < OLD.refunded_cents THEN 'order.refund_failed'
    WHEN NEW.status = 'deleted' THEN 'order.canceled'
    ELSE 'order.' || NEW.status END;
BEGIN
  INSERT INTO webhook_messages (endpoint_id, order_id, type, payload)
    SELECT _id, NEW._id, event, json_build_object(
      'type', event, 'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', json_build_object('_id', NEW._id, 'number', NEW.number, 'status', NEW.status, 'partId', NEW.part_id,
        'product', NEW.product, 'quantity', NEW.quantity, 'currency', (SELECT currency FROM shop),
        'price', trim_scale(NEW.price_cents / 100.0), 'totalPrice', trim_scale(NEW.total_cents / 100.0),
        'refunded', trim_scale(NEW.refunded_cents / 100.0), 'carrier', NEW.carrier,
        'trackingNumber', NEW.tracking_number, 'checkoutId', NEW.checkout_id))
    FROM webhook_endpoints WHERE disabled_at IS NULL AND event = ANY (events);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_unmatched_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM refunds WHERE intent_id = NEW.intent_id) THEN
    RAISE EXCEPTION 'payment %: no checkout took it, and no refund of it is recorded', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_unmatched_refunded';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_paid_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.amount <> due_of(NEW.checkout_id) OR EXISTS (SELECT FROM orders
    WHERE checkout_id = NEW.checkout_id AND status <> 'deleted' AND transaction_id IS DISTINCT FROM NEW.intent_id) THEN
    RAISE EXCEPTION 'payment %: it does not pay its whole checkout', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_pay_checkout';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER payments_check_checkout AFTER INSERT OR UPDATE ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'succeeded') EXECUTE FUNCTION check_paid_checkout();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.intent_id, NEW.cause, NEW.amount, NEW.reason, NEW.requested_by, NEW.idempotency_key, NEW.request_hash)
    IS DISTINCT FROM
      (OLD.intent_id, OLD.cause, OLD.amount, OLD.reason, OLD.requested_by, OLD.idempotency_key, OLD.request_hash)
    OR (OLD.provider_id IS NOT NULL AND NEW.provider_id IS DISTINCT FROM OLD.provider_id) THEN
    RAISE EXCEPTION 'refund %: what was asked for is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state <> OLD.state AND array_position(ARRAY['requested', 'pending', 'succeeded', 'failed'], NEW.state)
    < array_position(ARRAY['requested', 'pending', 'succeeded', 'failed'], OLD.state) THEN
    RAISE EXCEPTION 'refund % can not go from % to %', OLD._id, OLD.state, NEW.state
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION apply_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r refunds%ROWTYPE;
  p payments%ROWTYPE;
  o record;
  promised bigint;
  given bigint;
BEGIN
  SELECT * INTO r FROM refunds WHERE _id = coalesce(to_jsonb(NEW) ->> 'refund_id', to_jsonb(NEW) ->> '_id')::uuid;
  SELECT * INTO p FROM payments WHERE intent_id = r.intent_id;
  -- these locks put the refunds of one checkout one after the other
  PERFORM FROM orders WHERE checkout_id = p.checkout_id ORDER BY _id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount) FILTER (WHERE state <> 'failed'), 0),
      coalesce(sum(amount) FILTER (WHERE state IN ('pending', 'succeeded')), 0)
    INTO promised, given FROM refunds WHERE intent_id = r.intent_id;
  -- an admin refunds what paid a checkout; what no checkout could take goes back by itself
  IF p.status NOT IN ('succeeded', 'unmatched')
    OR r.cause = (CASE WHEN p.status = 'unmatched' THEN 'admin' ELSE 'unmatched_payment' END) THEN
    RAISE EXCEPTION 'payment %: it is %, so there is no refund of cause %', p.intent_id, p.status, r.cause
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_of_paid';
  END IF;
  IF given > p.amount OR (r.state = 'requested' AND promised > p.amount) THEN
    RAISE EXCEPTION 'payment %: % cents would be given back', p.intent_id, promised
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
  END IF;
  FOR o IN
    SELECT b._id, b.quantity, b.total_cents, b.transaction_id, coalesce(sum(l.amount) FILTER (WHERE f.state <> 'failed'), 0) AS promised,
      coalesce(sum(l.amount) FILTER (WHERE f.state IN ('pending', 'succeeded')), 0) AS given,
      coalesce(sum(l.restock) FILTER (WHERE f.state <> 'failed'
        OR EXISTS (SELECT FROM stock_movements m WHERE m.refund_id = f._id AND m.order_id = b._id)), 0) AS units
    FROM refund_lines own JOIN orders b ON b._id = own.order_id
      JOIN refund_lines l ON l.order_id = b._id JOIN refunds f ON f._id = l.refund_id
    WHERE own.refund_id = r._id GROUP BY b._id ORDER BY b._id
  LOOP
    IF o.transaction_id IS DISTINCT FROM p.intent_id THEN
      RAISE EXCEPTION 'order %: payment % did not pay it', o._id, p.intent_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_lines_of_paid';
    END IF;
    IF o.given > o.total_cents OR (r.state = 'requested' AND o.promised > o.total_cents) THEN
      RAISE EXCEPTION 'order %: % cents would be given back', o._id, o.promised
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
    END IF;
    IF o.units > o.quantity THEN
      RAISE EXCEPTION 'order %: % units would be restocked', o._id, o.units
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_booked';
    END IF;
    UPDATE orders SET refunded_cents = o.given, status = CASE
        WHEN o.given = total_cents THEN 'refunded'
        WHEN status <> 'refunded' THEN status
        WHEN shipped_at IS NULL THEN 'paid'
        ELSE 'shipped' END
      WHERE _id = o._id AND refunded_cents <> o.given;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER refund_lines_apply AFTER INSERT ON refund_lines FOR EACH ROW EXECUTE FUNCTION apply_refund();
--> statement-breakpoint
CREATE TRIGGER refund_lines_append_only BEFORE UPDATE OR DELETE ON refund_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER refund_lines_never_emptied BEFORE TRUNCATE ON refund_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_refund_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r refunds%ROWTYPE;
BEGIN
  SELECT * INTO r FROM refunds WHERE _id = coalesce(to_jsonb(NEW) ->> 'refund_id', to_jsonb(NEW) ->> '_id')::uuid;
  IF (SELECT coalesce(sum(amount), 0) FROM refund_lines WHERE refund_id = r._id)
    <> (SELECT CASE status WHEN 'unmatched' THEN 0 ELSE r.amount END FROM payments WHERE intent_id = r.intent_id) THEN
    RAISE EXCEPTION 'refund %: its lines do not sum up to it', r._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_lines_sum';
  END IF;
  IF EXISTS (
    SELECT FROM refund_lines l JOIN orders o ON o._id = l.order_id
      LEFT JOIN stock_movements m ON (m.refund_id, m.order_id) = (l.refund_id, l.order_id)
      CROSS JOIN LATERAL (SELECT coalesce(m.on_hand_delta - m.reserved_delta, 0)) restocked (units)
    WHERE l.refund_id = r._id AND (m.part_id <> o.part_id OR units NOT IN (0, l.restock)
      OR (r.state = 'requested' AND units > 0) OR (r.state IN ('pending', 'succeeded') AND units <> l.restock))
  ) THEN
    RAISE EXCEPTION 'refund %: restocked and the ledger differ', r._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_restocked_in_ledger';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER refund_lines_check_ledger AFTER INSERT ON refund_lines
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_refund_ledger();
