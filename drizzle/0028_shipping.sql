CREATE TABLE "addresses" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"address" jsonb NOT NULL,
	"is_default" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipping_methods" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"price_cents" integer NOT NULL,
	"free_from_cents" integer,
	"regions" text[] NOT NULL,
	"days_from" integer NOT NULL,
	"days_to" integer NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shipping_methods_version" CHECK ("shipping_methods"."version" > 0),
	CONSTRAINT "shipping_methods_type" CHECK ("shipping_methods"."type" in ('ship', 'pick up')),
	CONSTRAINT "shipping_methods_price" CHECK ("shipping_methods"."price_cents" between 0 and 99999900),
	CONSTRAINT "shipping_methods_free_from" CHECK ("shipping_methods"."free_from_cents" between 1 and 99999900),
	CONSTRAINT "shipping_methods_regions" CHECK (("shipping_methods"."type" = 'ship') = (cardinality("shipping_methods"."regions") > 0)),
	CONSTRAINT "shipping_methods_days" CHECK ("shipping_methods"."days_from" >= 0 and "shipping_methods"."days_to" between "shipping_methods"."days_from" and 365)
);
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_refunded";--> statement-breakpoint
ALTER TABLE "refund_lines" DROP CONSTRAINT "refund_lines_restock";--> statement-breakpoint
ALTER TABLE "stock_movements" DROP CONSTRAINT "stock_restocked_by_line";--> statement-breakpoint
ALTER TABLE "refund_lines" DROP CONSTRAINT "refund_lines_refund_id_order_id_pk";--> statement-breakpoint
ALTER TABLE "refund_lines" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "method_id" uuid;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "method_name" text;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "method_type" text;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "days_from" integer;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "days_to" integer;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "ship_to" jsonb;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "bill_to" jsonb;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "tax_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "shipping_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "tax_mode" text;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "tax_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "tax_rate" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "shipping_tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "addresses_one_default" ON "addresses" USING btree ("user_id") WHERE "addresses"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "addresses_of_user" ON "addresses" USING btree ("user_id","address");--> statement-breakpoint
CREATE UNIQUE INDEX "shipping_methods_name" ON "shipping_methods" USING btree (lower("name"));--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_method_id_shipping_methods__id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."shipping_methods"("_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_once" UNIQUE NULLS NOT DISTINCT("refund_id","order_id");--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_restocked_by_line" FOREIGN KEY ("refund_id","order_id") REFERENCES "public"."refund_lines"("refund_id","order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_method_type" CHECK ("checkouts"."method_type" in ('ship', 'pick up'));--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_method" CHECK (num_nulls("checkouts"."method_name", "checkouts"."method_type") in (0, 2)
        and ("checkouts"."method_name" is not null or ("checkouts"."method_id" is null and "checkouts"."shipping_cents" = 0))
        and ("checkouts"."method_type" is distinct from 'ship' or "checkouts"."ship_to" is not null));--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_shipping" CHECK ("checkouts"."shipping_cents" between 0 and 99999900);--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_tax_mode" CHECK ("checkouts"."tax_mode" in ('none', 'included', 'added'));--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_tax" CHECK ("checkouts"."tax_rate" between 0 and 100000 and "checkouts"."shipping_tax_cents" >= 0
        and ("checkouts"."shipping_tax_cents" = 0 or "checkouts"."tax_mode" = 'added'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_tax" CHECK ("orders"."tax_cents" between 0 and "orders"."total_cents");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunded" CHECK (case when "orders"."status" = 'refunded' then "orders"."refunded_cents" = "orders"."total_cents" + "orders"."tax_cents"
        when "orders"."status" in ('paid', 'shipped') then "orders"."refunded_cents" >= 0 and "orders"."refunded_cents" < "orders"."total_cents" + "orders"."tax_cents"
        else "orders"."refunded_cents" = 0 end);--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_restock" CHECK ("refund_lines"."restock" >= 0 and ("refund_lines"."restock" = 0 or "refund_lines"."order_id" is not null));