CREATE TABLE "refunds" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"state" text NOT NULL,
	"provider_id" text,
	"reason" text,
	"restock" integer DEFAULT 0 NOT NULL,
	"requested_by" uuid,
	"idempotency_key" text,
	"request_hash" text,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_provider_id_unique" UNIQUE("provider_id"),
	CONSTRAINT "refunds_idempotency" UNIQUE("requested_by","idempotency_key"),
	CONSTRAINT "refunds_state" CHECK ("refunds"."state" in ('requested', 'pending', 'succeeded', 'failed')),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refunds_restock" CHECK ("refunds"."restock" >= 0),
	CONSTRAINT "refunds_requested" CHECK (num_nulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") in (0, 4)
        and ("refunds"."requested_by" is not null or ("refunds"."state" <> 'requested' and "refunds"."restock" = 0))),
	CONSTRAINT "refunds_provider" CHECK ("refunds"."state" not in ('pending', 'succeeded') or "refunds"."provider_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "audit_log" ALTER COLUMN "actor_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refunded_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD COLUMN "refund_id" uuid;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_requested_by_users__id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_unsettled" ON "refunds" USING btree ("checked_at") WHERE "refunds"."state" in ('requested', 'pending');--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_refund_id_refunds__id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_restocked_once" UNIQUE("refund_id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunded" CHECK (case when "orders"."status" = 'refunded' then "orders"."refunded_cents" = "orders"."total_price"::bigint * 100
        when "orders"."status" in ('paid', 'shipped') then "orders"."refunded_cents" >= 0 and "orders"."refunded_cents" < "orders"."total_price"::bigint * 100
        else "orders"."refunded_cents" = 0 end);--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_restocked" CHECK (("stock_movements"."kind" = 'restock') = ("stock_movements"."refund_id" is not null));
--> statement-breakpoint
-- What was given back of an order is the sum of its refunds, by construction; an order whose whole payment went back is
-- refunded, and no longer when a bank sends a refund back. Requests are kept within what was paid and what was booked.
CREATE FUNCTION apply_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders%ROWTYPE;
  promised bigint;
  given bigint;
  units bigint;
BEGIN
  -- the refunds of an order wait for each other here
  SELECT * INTO o FROM orders WHERE _id = NEW.order_id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount) FILTER (WHERE state <> 'failed'), 0),
      coalesce(sum(amount) FILTER (WHERE state IN ('pending', 'succeeded')), 0),
      coalesce(sum(restock) FILTER (WHERE state <> 'failed'
        OR EXISTS (SELECT FROM stock_movements m WHERE m.refund_id = r._id)), 0)
    INTO promised, given, units FROM refunds r WHERE r.order_id = NEW.order_id;
  IF o.transaction_id IS NULL THEN
    RAISE EXCEPTION 'order %: nothing was paid', NEW.order_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_of_paid';
  END IF;
  IF NEW.state = 'requested' AND promised > o.total_price::bigint * 100 THEN
    RAISE EXCEPTION 'order %: % cents would be given back', NEW.order_id, promised
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
  END IF;
  IF units > o.quantity THEN
    RAISE EXCEPTION 'order %: % units would be restocked', NEW.order_id, units
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_booked';
  END IF;
  UPDATE orders SET refunded_cents = given, status = CASE
      WHEN given = total_price::bigint * 100 THEN 'refunded'
      WHEN status <> 'refunded' THEN status
      WHEN shipped_at IS NULL THEN 'paid'
      ELSE 'shipped' END
    WHERE _id = NEW.order_id AND refunded_cents <> given;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER refunds_apply AFTER INSERT OR UPDATE OF state ON refunds
  FOR EACH ROW EXECUTE FUNCTION apply_refund();
--> statement-breakpoint
-- What was asked for is frozen, and the provider's word only moves a refund on.
CREATE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.order_id, NEW.amount, NEW.restock, NEW.reason, NEW.requested_by, NEW.idempotency_key, NEW.request_hash)
    IS DISTINCT FROM (OLD.order_id, OLD.amount, OLD.restock, OLD.reason, OLD.requested_by, OLD.idempotency_key, OLD.request_hash)
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
CREATE TRIGGER refunds_guard BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();
--> statement-breakpoint
CREATE TRIGGER refunds_never_removed BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- At commit a refund that the provider took has put its units back, in one line of its order's part, and no other has.
CREATE FUNCTION check_refund_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
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
  SELECT coalesce(sum(m.on_hand_delta), 0), count(*) FILTER (WHERE m.order_id <> o._id OR m.part_id <> o.part_id)
    INTO restocked, strange FROM stock_movements m JOIN orders o ON o._id = r.order_id WHERE m.refund_id = r._id;
  IF strange > 0 OR restocked NOT IN (0, r.restock)
    OR (r.state = 'requested' AND restocked > 0)
    OR (r.state IN ('pending', 'succeeded') AND restocked <> r.restock) THEN
    RAISE EXCEPTION 'refund %: restocked and the ledger differ', r._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_restocked_in_ledger';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER refunds_check_ledger AFTER INSERT OR UPDATE ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_refund_ledger();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER stock_movements_check_refund AFTER INSERT ON stock_movements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.refund_id IS NOT NULL) EXECUTE FUNCTION check_refund_ledger();
--> statement-breakpoint
-- As before, and: what was given back changes only by refunds. One that a bank sent back makes the order what it was.
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.part_id, NEW.quantity, NEW.price, NEW.total_price)
    IS DISTINCT FROM (OLD.user_id, OLD.part_id, OLD.quantity, OLD.price, OLD.total_price)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
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
-- What is append-only is not emptied as a whole either.
CREATE TRIGGER refunds_never_emptied BEFORE TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER stock_movements_never_emptied BEFORE TRUNCATE ON stock_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
