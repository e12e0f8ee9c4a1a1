-- Drizzle's statements in an order that runs, and with the orders that there are numbered as they were booked.
CREATE SEQUENCE "public"."order_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "number" text;--> statement-breakpoint
-- Nothing else of them changes: what guards and checks an order sleeps meanwhile.
ALTER TABLE "orders" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "orders" SET "number" = 'F-' || numbered.number
FROM (SELECT _id, nextval('order_numbers') AS number FROM (SELECT _id FROM "orders" ORDER BY created_at, _id) booked) numbered
WHERE "orders"._id = numbered._id;--> statement-breakpoint
ALTER TABLE "orders" ENABLE TRIGGER USER;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "number" SET DEFAULT 'F-' || nextval('order_numbers');--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "number" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_number_unique" UNIQUE("number");--> statement-breakpoint
ALTER TABLE "orders" drop column "search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || number || E'\n ' || product || E'\n ' || customer || E'\n ' || email || E'\n ' || _id::text || E'\n ' || coalesce(transaction_id, ''), '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
-- It is on receipts: an order keeps its number for good.
CREATE TRIGGER orders_keep_number BEFORE UPDATE OF number ON orders
  FOR EACH ROW WHEN (NEW.number IS DISTINCT FROM OLD.number) EXECUTE FUNCTION refuse_change();--> statement-breakpoint
ANALYZE "orders";
