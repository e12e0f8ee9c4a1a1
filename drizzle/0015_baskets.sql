CREATE TABLE "baskets" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"parts" text NOT NULL,
	CONSTRAINT "baskets_parts" CHECK ("baskets"."parts" ~ '^[0-9x,]+$' and length("baskets"."parts") <= 400)
);
--> statement-breakpoint
ALTER TABLE "baskets" ADD CONSTRAINT "baskets_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;