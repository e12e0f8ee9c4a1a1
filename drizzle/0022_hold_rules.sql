ALTER TABLE "orders" ADD COLUMN "hold_limit_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "hold_ran_out_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "end_announced_at" timestamp (3) with time zone;--> statement-breakpoint
-- Holds from before end at their time. Nothing else of them changes: what guards and checks an order sleeps meanwhile.
ALTER TABLE "orders" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "orders" SET "hold_limit_at" = "hold_expires_at" WHERE "hold_expires_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ENABLE TRIGGER USER;--> statement-breakpoint
CREATE INDEX "orders_hold_limits" ON "orders" USING btree ("user_id","hold_limit_at") WHERE "orders"."hold_limit_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_networks" ON "orders" USING btree ("network") WHERE "orders"."network" is not null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_hold_limit" CHECK ("orders"."hold_expires_at" is null or ("orders"."hold_limit_at" is not null and "orders"."hold_expires_at" <= "orders"."hold_limit_at"));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_network" CHECK ("orders"."network" is null or "orders"."hold_expires_at" is not null);--> statement-breakpoint
-- As before, but that an unpaid order without a hold takes the price of the day while nobody can pay the old one.
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.part_id, NEW.quantity) IS DISTINCT FROM (OLD.user_id, OLD.part_id, OLD.quantity)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.price, NEW.total_price) IS DISTINCT FROM (OLD.price, OLD.total_price) AND (
    OLD.status <> 'unpaid' OR NEW.status <> 'unpaid' OR OLD.hold_expires_at IS NOT NULL
    OR EXISTS (SELECT FROM payments WHERE order_id = OLD._id AND status = 'open')
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
