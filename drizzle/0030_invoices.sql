CREATE TABLE "invoice_counters" (
	"series" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_counters_series_year_pk" PRIMARY KEY("series","year"),
	CONSTRAINT "invoice_counters_series" CHECK ("invoice_counters"."series" in ('I', 'C'))
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"series" text NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"checkout_id" uuid NOT NULL,
	"refund_id" uuid,
	"issued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"total_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"document" jsonb NOT NULL,
	CONSTRAINT "invoices_number" UNIQUE("series","year","number"),
	CONSTRAINT "invoices_refund" UNIQUE("refund_id","series"),
	CONSTRAINT "invoices_series" CHECK ("invoices"."series" = 'I' or ("invoices"."series" = 'C' and "invoices"."refund_id" is not null)),
	CONSTRAINT "invoices_total" CHECK ("invoices"."total_cents" > 0 and "invoices"."tax_cents" between 0 and "invoices"."total_cents")
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_checkout_id_checkouts__id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_refund_id_refunds__id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoices_checkout" ON "invoices" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "invoices_issued" ON "invoices" USING btree ("issued_at","_id");