CREATE TABLE "catalogue_changes" (
	"_id" bigserial PRIMARY KEY NOT NULL,
	"topic" text NOT NULL,
	"changes" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "catalogue_changes_topic" CHECK ("catalogue_changes"."topic" in ('parts', 'reviews')),
	CONSTRAINT "catalogue_changes_count" CHECK ("catalogue_changes"."changes" > 0)
);
