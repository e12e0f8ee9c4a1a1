-- Searching for a part of a word needs trigrams. The extension is PostgreSQL's own and trusted: whoever may create the
-- schemas of these migrations may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
DROP INDEX "users_email";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(product || E'\n' || customer || E'\n' || email || E'\n' || _id::text || E'\n' || coalesce(transaction_id, ''))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(email || E'\n' || name || E'\n' || _id::text)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","_id");--> statement-breakpoint
CREATE INDEX "orders_by_total" ON "orders" USING btree ("total_price","_id");--> statement-breakpoint
CREATE INDEX "orders_by_quantity" ON "orders" USING btree ("quantity","_id");--> statement-breakpoint
CREATE INDEX "orders_by_product" ON "orders" USING btree (lower("product"),"_id");--> statement-breakpoint
CREATE INDEX "orders_by_email" ON "orders" USING btree ("email","_id");--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_image" ON "orders" USING btree ("image");--> statement-breakpoint
CREATE INDEX "parts_image" ON "parts" USING btree ("image");--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at","_id");--> statement-breakpoint
CREATE INDEX "users_admins" ON "users" USING btree ("email","_id") WHERE "users"."role" = 'admin';--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree ("email","_id");--> statement-breakpoint
-- Plans are chosen by how rare a word is: that is counted now, and finely enough.
ALTER TABLE "orders" ALTER COLUMN "search" SET STATISTICS 500;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "search" SET STATISTICS 500;--> statement-breakpoint
ANALYZE "orders", "users", "parts";
