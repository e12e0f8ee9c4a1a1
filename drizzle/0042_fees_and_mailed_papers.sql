CREATE TABLE "provider_fees" (
	"movement_id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"refund_id" uuid,
	"type" text NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"reported_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_fees_type" CHECK (case "provider_fees"."type" when 'payment' then "provider_fees"."refund_id" is null when 'dispute' then "provider_fees"."refund_id" is null
        when 'refund' then "provider_fees"."refund_id" is not null when 'refund sent back' then "provider_fees"."refund_id" is not null
        else false end),
	CONSTRAINT "provider_fees_currency" CHECK ("provider_fees"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
ALTER TABLE "mail_queue" ADD COLUMN "invoice_id" uuid;--> statement-breakpoint
ALTER TABLE "provider_fees" ADD CONSTRAINT "provider_fees_intent_id_payments_intent_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payments"("intent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_fees" ADD CONSTRAINT "provider_fees_refund_id_refunds__id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_fees_intent" ON "provider_fees" USING btree ("intent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_fees_payment" ON "provider_fees" USING btree ("intent_id") WHERE "provider_fees"."type" = 'payment';--> statement-breakpoint
CREATE UNIQUE INDEX "provider_fees_refund" ON "provider_fees" USING btree ("refund_id","type") WHERE "provider_fees"."refund_id" is not null;--> statement-breakpoint
CREATE INDEX "provider_fees_dispute" ON "provider_fees" USING btree ("reported_at","movement_id") WHERE "provider_fees"."type" = 'dispute';--> statement-breakpoint
ALTER TABLE "mail_queue" ADD CONSTRAINT "mail_queue_invoice_id_invoices__id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("_id") ON DELETE no action ON UPDATE no action;