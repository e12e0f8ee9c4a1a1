CREATE TABLE "audit_log" (
	"_id" bigserial PRIMARY KEY NOT NULL,
	"actor_id" uuid NOT NULL,
	"deed" text NOT NULL,
	"user_id" uuid,
	"part_id" uuid,
	"order_id" uuid,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_log_subject" CHECK (num_nonnulls("audit_log"."user_id", "audit_log"."part_id", "audit_log"."order_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users__id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_user" ON "audit_log" USING btree ("user_id","_id") WHERE "audit_log"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_part" ON "audit_log" USING btree ("part_id","_id") WHERE "audit_log"."part_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_order" ON "audit_log" USING btree ("order_id","_id") WHERE "audit_log"."order_id" is not null;