CREATE TABLE "parts_to_index" (
	"part_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "parts_to_index" ADD CONSTRAINT "parts_to_index_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION write_part_index(part parts) RETURNS void LANGUAGE sql AS $$
  INSERT INTO part_index AS had SELECT made.* FROM part_index_of(part) made
    ON CONFLICT (part_id) DO UPDATE SET (is_on_sale, kind, price_cents, sold_90, facets, words, search) =
      (excluded.is_on_sale, excluded.kind, excluded.price_cents, excluded.sold_90, excluded.facets, excluded.words, excluded.search)
    WHERE had.* IS DISTINCT FROM excluded.*
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_new_words CONSTANT boolean := TG_OP = 'INSERT' OR pg_trigger_depth() > 1
    OR (NEW.name, NEW.kind, NEW.brand, NEW.sku, NEW.mpn, NEW.gtin, NEW.description, NEW.specs)
      IS DISTINCT FROM (OLD.name, OLD.kind, OLD.brand, OLD.sku, OLD.mpn, OLD.gtin, OLD.description, OLD.specs);
BEGIN
  IF has_new_words AND coalesce(current_setting('ferrite.index_later', true), '') <> 'on' THEN
    PERFORM write_part_index(NEW);
    RETURN NULL;
  END IF;
  UPDATE part_index SET (is_on_sale, price_cents, sold_90) =
    ROW (NEW.deleted_at IS NULL AND NEW.state = 'on sale', NEW.price_cents, NEW.sold_90) WHERE part_id = NEW._id;
  IF has_new_words THEN
    INSERT INTO parts_to_index (part_id) VALUES (NEW._id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_parts(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  part parts;
  indexed integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('index of parts', 0));
  FOR part IN SELECT p.* FROM parts p WHERE p._id IN (
    SELECT part_id FROM parts_to_index ORDER BY part_id LIMIT most
  ) ORDER BY p._id FOR NO KEY UPDATE OF p LOOP
    PERFORM write_part_index(part);
    DELETE FROM parts_to_index WHERE part_id = part._id;
    indexed := indexed + 1;
  END LOOP;
  IF indexed > 0 AND NOT EXISTS (SELECT FROM parts_to_index) THEN
    INSERT INTO catalogue_changes (topic) VALUES ('parts');
  END IF;
  RETURN indexed;
END $$;
