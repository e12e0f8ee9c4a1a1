CREATE TABLE "home_slides" (
	"place" integer PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"link_text" text NOT NULL,
	"link" text NOT NULL,
	"image" text,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "home_slides_place" CHECK ("home_slides"."place" between 1 and 3),
	CONSTRAINT "home_slides_version" CHECK ("home_slides"."version" > 0),
	CONSTRAINT "home_slides_length" CHECK (length(title) <= 40 and length(text) <= 200
         and length(link_text) <= 30 and length(link) <= 300)
);
--> statement-breakpoint
ALTER TABLE "home_slides" ADD CONSTRAINT "home_slides_image_pictures_url_fk" FOREIGN KEY ("image") REFERENCES "public"."pictures"("url") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE TRIGGER home_slides_shown AFTER INSERT OR UPDATE OR DELETE ON home_slides
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
