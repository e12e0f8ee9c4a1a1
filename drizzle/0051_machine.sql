CREATE TABLE "machine_parts" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"order_id" uuid,
	"part_id" uuid,
	"kind" text,
	"specs" jsonb,
	"name" text NOT NULL,
	"quantity" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "machine_parts_order_id_unique" UNIQUE("order_id"),
	CONSTRAINT "machine_parts_name" CHECK ("machine_parts"."name" <> ''),
	CONSTRAINT "machine_parts_quantity" CHECK ("machine_parts"."quantity" between 1 and 100000),
	CONSTRAINT "machine_parts_order" CHECK ("machine_parts"."order_id" is null or "machine_parts"."part_id" is not null),
	CONSTRAINT "machine_parts_fields" CHECK (case when "machine_parts"."part_id" is not null then num_nonnulls("machine_parts"."kind", "machine_parts"."specs") = 0
        else "machine_parts"."kind" is not null and "machine_parts"."specs" is not null end),
	CONSTRAINT "machine_parts_kind" CHECK ("machine_parts"."kind" ~ '^[a-z-]{1,40}$'),
	CONSTRAINT "machine_parts_specs" CHECK (jsonb_typeof("machine_parts"."specs") = 'object' and length("machine_parts"."specs"::text) <= 8000)
);
--> statement-breakpoint
ALTER TABLE "machine_parts" ADD CONSTRAINT "machine_parts_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "machine_parts" ADD CONSTRAINT "machine_parts_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "machine_parts" ADD CONSTRAINT "machine_parts_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "machine_parts_user" ON "machine_parts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "machine_parts_part" ON "machine_parts" USING btree ("part_id");--> statement-breakpoint
CREATE UNIQUE INDEX "machine_parts_added" ON "machine_parts" USING btree ("user_id","part_id") WHERE "machine_parts"."order_id" is null;--> statement-breakpoint
CREATE TRIGGER machine_parts_refuse_deleted_user BEFORE INSERT ON machine_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
--> statement-breakpoint
-- What is shipped becomes a part of its customer's machine, once, if rules of fit know its kind: the
-- shop's own kinds (contracts/machine.ts), and the owner's whose fields stand for theirs. An order
-- that cannot become one is shipped all the same.
CREATE FUNCTION add_to_machine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_parts (user_id, order_id, part_id, name, quantity)
    SELECT NEW.user_id, NEW._id, NEW.part_id, NEW.product, NEW.quantity
    FROM parts p JOIN kinds k ON k.name = p.kind
    WHERE p._id = NEW.part_id
      AND (k.slug = ANY ('{processor,motherboard,memory-module,graphics-card,storage-drive,power-supply,case,tower-cooler,liquid-cooler,fan}')
        OR EXISTS (SELECT FROM spec_fields f WHERE f.kind = k.slug AND f.fit_field IS NOT NULL))
      AND (SELECT count(*) FROM machine_parts m WHERE m.user_id = NEW.user_id) < 40
    ON CONFLICT (order_id) DO NOTHING;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'order % is not in its customer''s machine: %', NEW._id, SQLERRM;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_add_to_machine AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status IN ('paid', 'refunded') AND NEW.status = 'shipped') EXECUTE FUNCTION add_to_machine();
--> statement-breakpoint
-- What went back for all of its money is not in the machine any more.
CREATE FUNCTION leave_machine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM machine_parts WHERE order_id = NEW._id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_leave_machine AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status = 'shipped' AND NEW.status = 'refunded') EXECUTE FUNCTION leave_machine();
--> statement-breakpoint
-- what was shipped before, of each customer the newest 40
INSERT INTO machine_parts (user_id, order_id, part_id, name, quantity, created_at)
  SELECT user_id, _id, part_id, product, quantity, shipped_at FROM (
    SELECT o.*, row_number() OVER (PARTITION BY o.user_id ORDER BY o.shipped_at DESC, o._id) AS place
    FROM orders o JOIN users u ON u._id = o.user_id JOIN parts p ON p._id = o.part_id JOIN kinds k ON k.name = p.kind
    WHERE o.status = 'shipped' AND u.deleted_at IS NULL
      AND (k.slug = ANY ('{processor,motherboard,memory-module,graphics-card,storage-drive,power-supply,case,tower-cooler,liquid-cooler,fan}')
        OR EXISTS (SELECT FROM spec_fields f WHERE f.kind = k.slug AND f.fit_field IS NOT NULL))) shipped
  WHERE place <= 40;
