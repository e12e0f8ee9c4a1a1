CREATE TABLE "profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"education" text NOT NULL,
	"location" text NOT NULL,
	"phone" text NOT NULL,
	"linked_in" text NOT NULL,
	CONSTRAINT "profiles_linked_in" CHECK ("profiles"."linked_in" like 'https://%linkedin.com/%')
);
--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_idempotency" UNIQUE("user_id","idempotency_key");