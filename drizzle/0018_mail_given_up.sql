CREATE TABLE "last_runs" (
	"job" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
DROP INDEX "mail_outbox_due";--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD COLUMN "given_up_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD COLUMN "dismissed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "received_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "returned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "given_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "sent_back_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_outbox_given_up" ON "mail_outbox" USING btree ("given_up_at") WHERE "mail_outbox"."given_up_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_outbox_order" ON "mail_outbox" USING btree ("order_id") WHERE "mail_outbox"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_received" ON "payments" USING btree ("received_at","intent_id") WHERE "payments"."received_at" is not null;--> statement-breakpoint
CREATE INDEX "payments_returned" ON "payments" USING btree ("returned_at","intent_id") WHERE "payments"."returned_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_given" ON "refunds" USING btree ("given_at","_id") WHERE "refunds"."given_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_sent_back" ON "refunds" USING btree ("sent_back_at","_id") WHERE "refunds"."sent_back_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_outbox_due" ON "mail_outbox" USING btree ("next_attempt_at") WHERE "mail_outbox"."sent_at" is null and "mail_outbox"."given_up_at" is null;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_end" CHECK (num_nonnulls("mail_outbox"."sent_at", "mail_outbox"."given_up_at") <= 1);--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_dismissed" CHECK ("mail_outbox"."dismissed_at" is null or "mail_outbox"."given_up_at" is not null);