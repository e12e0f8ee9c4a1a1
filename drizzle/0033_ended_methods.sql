ALTER TABLE "checkouts" DROP CONSTRAINT "checkouts_method";--> statement-breakpoint
ALTER TABLE "checkouts" DROP CONSTRAINT "checkouts_method_id_shipping_methods__id_fk";
--> statement-breakpoint
DROP INDEX "shipping_methods_name";--> statement-breakpoint
ALTER TABLE "shipping_methods" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
-- Methods that were deleted come back, as ended ones of the checkouts that chose them.
ALTER TABLE "checkouts" DISABLE TRIGGER USER;--> statement-breakpoint
ALTER TABLE "shipping_methods" DISABLE TRIGGER USER;--> statement-breakpoint
UPDATE "checkouts" SET "method_id" = gen_random_uuid() WHERE "method_name" IS NOT NULL AND "method_id" IS NULL;--> statement-breakpoint
INSERT INTO "shipping_methods" ("_id", "name", "type", "price_cents", "regions", "days_from", "days_to", "ended_at")
  SELECT "method_id", "method_name", "method_type", "shipping_cents",
    CASE "method_type" WHEN 'ship' THEN ARRAY["ship_to" ->> 'country'] ELSE '{}' END, coalesce("days_from", 0), coalesce("days_to", 0), now()
  FROM "checkouts" WHERE "method_id" IS NOT NULL AND "method_id" <> ALL (SELECT "_id" FROM "shipping_methods");--> statement-breakpoint
ALTER TABLE "checkouts" ENABLE TRIGGER USER;--> statement-breakpoint
ALTER TABLE "shipping_methods" ENABLE TRIGGER USER;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_method_id_shipping_methods__id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."shipping_methods"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shipping_methods_name" ON "shipping_methods" USING btree (lower("name")) WHERE "shipping_methods"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_method" CHECK (num_nulls("checkouts"."method_id", "checkouts"."method_name", "checkouts"."method_type") in (0, 3)
        and ("checkouts"."method_id" is not null or "checkouts"."shipping_cents" = 0)
        and ("checkouts"."method_type" is distinct from 'ship' or "checkouts"."ship_to" is not null));