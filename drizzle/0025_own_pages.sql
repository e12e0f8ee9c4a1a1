CREATE TABLE "own_pages" (
	"address" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"title" text NOT NULL,
	"group" text NOT NULL,
	"lead" text NOT NULL,
	"text" text NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "own_pages_version" CHECK ("own_pages"."version" > 0),
	CONSTRAINT "own_pages_address" CHECK ("own_pages"."address" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
	CONSTRAINT "own_pages_length" CHECK (length(lead) <= 200 and length(text) <= 20000)
);
--> statement-breakpoint
CREATE TRIGGER own_pages_shown AFTER INSERT OR UPDATE OR DELETE ON own_pages
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
