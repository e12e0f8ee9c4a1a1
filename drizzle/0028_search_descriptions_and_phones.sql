ALTER TABLE "orders" drop column "search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || number || E'\n ' || product || E'\n ' || customer || E'\n ' || email || E'\n ' || phone || E'\n ' || _id::text || E'\n ' || coalesce(transaction_id, ''), '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "parts" drop column "search";--> statement-breakpoint
ALTER TABLE "parts" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || name || E'\n ' || kind || E'\n ' || description || E'\n ' || _id::text, '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
ANALYZE "orders", "parts";
