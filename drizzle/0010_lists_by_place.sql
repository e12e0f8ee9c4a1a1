CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at");--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("paid_at","_id") WHERE "orders"."status" = 'paid';--> statement-breakpoint
CREATE INDEX "parts_by_price" ON "parts" USING btree ("price","_id") WHERE "parts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "parts_by_created" ON "parts" USING btree ("created_at","_id") WHERE "parts"."deleted_at" is null;