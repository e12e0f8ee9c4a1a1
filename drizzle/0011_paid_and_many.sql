DROP INDEX "orders_paid";--> statement-breakpoint
CREATE INDEX "orders_status_quantity" ON "orders" USING btree ("status","quantity","_id");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at","part_id","quantity","total_price","refunded_cents");