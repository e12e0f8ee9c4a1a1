CREATE TABLE "paces" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "happened_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "paces_expire" ON "paces" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at");