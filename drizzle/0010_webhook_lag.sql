ALTER TABLE "webhook_events" ADD COLUMN "happened_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at");