ALTER TABLE "orders" ADD COLUMN "shipped_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "carrier" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tracking_number" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_shipped" CHECK (("orders"."shipped_at" is null or "orders"."status" in ('shipped', 'refunded'))
        and ("orders"."shipped_at" is not null or num_nonnulls("orders"."carrier", "orders"."tracking_number") = 0));