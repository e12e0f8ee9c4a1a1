CREATE TABLE "shop" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"shop_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"secret_fingerprint" text NOT NULL,
	CONSTRAINT "shop_only_row" CHECK ("shop"."only_row")
);
