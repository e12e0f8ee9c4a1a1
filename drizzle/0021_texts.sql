CREATE TABLE "shop_texts" (
	"page" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"lead" text NOT NULL,
	"text" text NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shop_texts_version" CHECK ("shop_texts"."version" > 0),
	CONSTRAINT "shop_texts_length" CHECK (length(lead) <= 200 and length(text) <= 20000)
);
--> statement-breakpoint
CREATE TRIGGER shop_texts_shown AFTER INSERT OR UPDATE OR DELETE ON shop_texts
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
