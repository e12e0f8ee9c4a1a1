CREATE TABLE "notes" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"checkout_id" uuid,
	"user_id" uuid,
	"is_for_customer" boolean NOT NULL,
	"text" text NOT NULL,
	"admin_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notes_about" CHECK (num_nonnulls("notes"."checkout_id", "notes"."user_id") = 1),
	CONSTRAINT "notes_for_customer" CHECK (not "notes"."is_for_customer" or "notes"."checkout_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "ticket_pictures" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"ticket_id" uuid NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "serial_numbers" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" drop column "search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || number || E'\n ' || product || E'\n ' || customer || E'\n ' || email || E'\n ' || phone || E'\n ' || _id::text || E'\n ' || coalesce(transaction_id, '') || E'\n ' || coalesce(tracking_number, '') || E'\n ' || serial_numbers, '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD COLUMN "ticket_id" uuid;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_checkout_id_checkouts__id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_admin_id_users__id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_pictures" ADD CONSTRAINT "ticket_pictures_ticket_id_tickets__id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notes_checkout" ON "notes" USING btree ("checkout_id","created_at") WHERE "notes"."checkout_id" is not null;--> statement-breakpoint
CREATE INDEX "notes_user" ON "notes" USING btree ("user_id","created_at") WHERE "notes"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "ticket_pictures_ticket" ON "ticket_pictures" USING btree ("ticket_id","created_at");--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_ticket_id_tickets__id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_messages_ticket" ON "webhook_messages" USING btree ("ticket_id") WHERE "webhook_messages"."ticket_id" is not null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_serial_numbers" CHECK ("orders"."serial_numbers" = '' or cardinality(string_to_array("orders"."serial_numbers", E'\n')) <= "orders"."quantity");