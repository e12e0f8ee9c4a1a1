CREATE TABLE "builds" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"name" text NOT NULL,
	"parts" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "builds_name" UNIQUE NULLS NOT DISTINCT("user_id","name"),
	CONSTRAINT "builds_parts" CHECK ("builds"."parts" ~ '^[0-9x,]+$' and length("builds"."parts") <= 400)
);
--> statement-breakpoint
ALTER TABLE "builds" ADD CONSTRAINT "builds_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE TRIGGER builds_refuse_deleted_user BEFORE INSERT ON builds
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();
