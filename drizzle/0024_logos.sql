CREATE TABLE "shop_logos" (
	"logo" text NOT NULL,
	"file" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shop_logos_logo_file_pk" PRIMARY KEY("logo","file")
);
