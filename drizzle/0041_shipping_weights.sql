CREATE TABLE "shipping_steps" (
	"method_id" uuid NOT NULL,
	"up_to_g" integer NOT NULL,
	"cents" integer NOT NULL,
	CONSTRAINT "shipping_steps_method_id_up_to_g_pk" PRIMARY KEY("method_id","up_to_g"),
	CONSTRAINT "shipping_steps_up_to_g" CHECK ("shipping_steps"."up_to_g" between 1 and 1000000),
	CONSTRAINT "shipping_steps_price" CHECK ("shipping_steps"."cents" between 0 and 99999900)
);
--> statement-breakpoint
ALTER TABLE "parts" ADD COLUMN "weight_g" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shipping_steps" ADD CONSTRAINT "shipping_steps_method_id_shipping_methods__id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."shipping_methods"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parts" ADD CONSTRAINT "parts_weight_g" CHECK ("parts"."weight_g" between 0 and 100000);