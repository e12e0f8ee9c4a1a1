CREATE SEQUENCE "public"."ticket_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE TABLE "ticket_lines" (
	"ticket_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"received" integer DEFAULT 0 NOT NULL,
	"restock" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "ticket_lines_pkey" PRIMARY KEY("ticket_id","order_id"),
	CONSTRAINT "ticket_lines_quantity" CHECK ("ticket_lines"."quantity" > 0),
	CONSTRAINT "ticket_lines_received" CHECK ("ticket_lines"."received" between 0 and "ticket_lines"."quantity" and "ticket_lines"."restock" between 0 and "ticket_lines"."received")
);
--> statement-breakpoint
CREATE TABLE "ticket_messages" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"ticket_id" uuid NOT NULL,
	"author" text NOT NULL,
	"admin_id" uuid,
	"state" text,
	"text" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_messages_author" CHECK ("ticket_messages"."author" in ('customer', 'shop')),
	CONSTRAINT "ticket_messages_admin" CHECK ("ticket_messages"."admin_id" is null or "ticket_messages"."author" = 'shop'),
	CONSTRAINT "ticket_messages_state" CHECK ("ticket_messages"."state" in ('asked', 'accepted', 'on its way', 'received', 'settled', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" text DEFAULT 'T-' || nextval('ticket_numbers') NOT NULL,
	"type" text NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"user_id" uuid,
	"checkout_id" uuid,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"waiting_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"idempotency_key" text,
	"request_hash" text,
	"search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || number || E'\n ' || name || E'\n ' || email || E'\n ' || _id::text, '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL,
	CONSTRAINT "tickets_number_unique" UNIQUE("number"),
	CONSTRAINT "tickets_idempotency" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "tickets_type" CHECK ("tickets"."type" in ('withdrawal', 'return', 'warranty', 'question', 'undelivered')),
	CONSTRAINT "tickets_state" CHECK ("tickets"."state" in ('asked', 'accepted', 'on its way', 'received', 'settled', 'refused')
        and ("tickets"."type" <> 'question' or "tickets"."state" in ('asked', 'settled'))),
	CONSTRAINT "tickets_ended" CHECK (("tickets"."ended_at" is not null) = ("tickets"."state" in ('settled', 'refused'))),
	CONSTRAINT "tickets_waiting" CHECK ("tickets"."waiting_since" is null or "tickets"."ended_at" is null),
	CONSTRAINT "tickets_checkout" CHECK ("tickets"."type" = 'question' or "tickets"."checkout_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "ticket_id" uuid;--> statement-breakpoint
ALTER TABLE "ticket_lines" ADD CONSTRAINT "ticket_lines_ticket_id_tickets__id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_lines" ADD CONSTRAINT "ticket_lines_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_ticket_id_tickets__id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_admin_id_users__id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_checkout_id_checkouts__id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_lines_order" ON "ticket_lines" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "ticket_messages_ticket" ON "ticket_messages" USING btree ("ticket_id","created_at","_id");--> statement-breakpoint
CREATE INDEX "tickets_checkout" ON "tickets" USING btree ("checkout_id") WHERE "tickets"."checkout_id" is not null;--> statement-breakpoint
CREATE INDEX "tickets_user" ON "tickets" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "tickets_created" ON "tickets" USING btree ("created_at","_id");--> statement-breakpoint
CREATE INDEX "tickets_waiting" ON "tickets" USING btree ("waiting_since","_id") WHERE "tickets"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "tickets_ended" ON "tickets" USING btree ("ended_at") WHERE "tickets"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "tickets_search" ON "tickets" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_ticket_id_tickets__id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_ticket" ON "refunds" USING btree ("ticket_id") WHERE "refunds"."ticket_id" is not null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_delivered" CHECK ("orders"."delivered_at" is null or ("orders"."shipped_at" is not null and "orders"."delivered_at" >= "orders"."shipped_at"));