ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_subject";--> statement-breakpoint
DROP INDEX "reviews_created";--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "bought_here" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "edited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "hidden_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "hidden_reason" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || name || E'\n ' || email || E'\n ' || review || E'\n ' || _id::text, '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "review_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_review_id_reviews__id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reviews_by_ratings" ON "reviews" USING btree ("ratings","_id");--> statement-breakpoint
CREATE INDEX "reviews_user" ON "reviews" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "reviews_search" ON "reviews" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "audit_log_review" ON "audit_log" USING btree ("review_id","_id") WHERE "audit_log"."review_id" is not null;--> statement-breakpoint
CREATE INDEX "reviews_created" ON "reviews" USING btree ("created_at","_id");--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_hidden" CHECK (("reviews"."hidden_at" is null) = ("reviews"."hidden_reason" is null));--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_removed" CHECK ("reviews"."removed_at" is null or "reviews"."review" = '');--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_subject" CHECK (num_nonnulls("audit_log"."user_id", "audit_log"."part_id", "audit_log"."order_id", "audit_log"."review_id") = 1);