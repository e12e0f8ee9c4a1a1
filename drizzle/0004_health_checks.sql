CREATE TABLE "health_checks" (
	"name" text PRIMARY KEY NOT NULL,
	"event" text,
	"sentence" text NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"machine" text NOT NULL
);
