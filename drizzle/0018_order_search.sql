ALTER TABLE "orders" drop column "search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || number || E'\n ' || product || E'\n ' || customer || E'\n ' || email || E'\n ' || phone || E'\n ' || _id::text || E'\n ' || coalesce(transaction_id, '') || E'\n ' || coalesce(tracking_number, ''), '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL;--> statement-breakpoint
-- the dropped column took its index with it
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);
