ALTER TABLE "spec_fields" DROP CONSTRAINT "spec_fields_reserved";--> statement-breakpoint
ALTER TABLE "spec_fields" ADD COLUMN "fit_field" text;--> statement-breakpoint
ALTER TABLE "spec_fields" ADD CONSTRAINT "spec_fields_fit" UNIQUE("kind","fit_field");--> statement-breakpoint
ALTER TABLE "spec_fields" ADD CONSTRAINT "spec_fields_fit_field" CHECK ("spec_fields"."fit_field" is null or (not "spec_fields"."is_builtin" and "spec_fields"."fit_field" ~ '^[a-z-]{1,40}[.][a-z0-9_]{1,40}$'));--> statement-breakpoint
-- Addresses of lists read these names now: an owner's field of that name gets another. An empty shop
-- stays without a change, so that a backup can be restored into it.
DO $$ BEGIN
  IF EXISTS (SELECT FROM spec_fields WHERE key IN ('fits', 'only')) THEN
    INSERT INTO spec_fields SELECT (jsonb_populate_record(f, jsonb_build_object('key', f.key || '_'))).*
      FROM spec_fields f WHERE key IN ('fits', 'only');
    UPDATE parts SET specs = (specs - '{fits,only}'::text[])
      || jsonb_strip_nulls(jsonb_build_object('fits_', specs -> 'fits', 'only_', specs -> 'only'))
      WHERE specs ?| '{fits,only}';
    DELETE FROM spec_fields WHERE key IN ('fits', 'only');
  END IF;
END $$;--> statement-breakpoint
ALTER TABLE "spec_fields" ADD CONSTRAINT "spec_fields_reserved" CHECK ("spec_fields"."key" !~ '^(kind|q|as|brand|stock|sort|after|limit|price|parts|fits|only|constructor|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|(utm|mc|hsa|pk)_.*)$');--> statement-breakpoint
-- The fields that the rules of fit read and no kind had, in a shop that has the shop's own kinds.
DO $$ BEGIN
  IF EXISTS (SELECT FROM spec_fields WHERE is_builtin) THEN
    INSERT INTO spec_fields (kind, key, label, type, unit, max, options, is_facet, is_searched, better, "group", position, is_builtin)
      SELECT n.kind, n.key, n.label, n.type, n.unit, n.max, n.options, n.is_facet, n.is_searched, n.better, n."group",
        (SELECT max(f.position) FROM spec_fields f WHERE f.kind = n.kind) + n.place, true
      FROM (VALUES
        ('motherboard', 'memory_form', 'Memory form', 'one', '', 1000000, '[{"value":"DIMM","also":["udimm"]},{"value":"SO-DIMM","also":["sodimm"]}]'::jsonb, false, false, NULL, 'Memory', 1),
        ('motherboard', 'memory_ecc', 'ECC memory', 'yes', '', 1000000, '[]', false, false, NULL, 'Memory', 2),
        ('motherboard', 'memory_registered', 'Registered memory', 'yes', '', 1000000, '[]', false, false, NULL, 'Memory', 3),
        ('case', 'fan_sizes_mm', 'Fan sizes', 'many', '', 1000000, '[{"value":"80","also":[]},{"value":"92","also":[]},{"value":"120","also":[]},{"value":"140","also":[]},{"value":"180","also":[]},{"value":"200","also":[]}]', false, false, NULL, 'Size and fit', 1),
        ('case', 'plugs_at_back', 'Cut for plugs at the back', 'yes', '', 1000000, '[]', false, false, NULL, 'Connections', 2),
        ('liquid-cooler', 'cools_w', 'Cools', 'number', 'W', 1000, '[]', true, true, 'more', 'Performance', 1)
      ) n (kind, key, label, type, unit, max, options, is_facet, is_searched, better, "group", place)
      WHERE EXISTS (SELECT FROM spec_fields f WHERE f.kind = n.kind AND f.is_builtin)
      ON CONFLICT DO NOTHING;
  END IF;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION describe_parts_of_field() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others text[] := '{options,position,promoted,better,group,fit_field}';
BEGIN
  PERFORM FROM kinds WHERE slug = OLD.kind FOR UPDATE;
  IF TG_OP = 'DELETE' OR to_jsonb(OLD) - others <> to_jsonb(NEW) - others
      OR (OLD.is_open AND OLD.options <> NEW.options)
      OR EXISTS (SELECT FROM jsonb_array_elements(OLD.options) had
        WHERE had NOT IN (SELECT jsonb_array_elements(NEW.options))) THEN
    UPDATE parts SET specs = specs WHERE kind = (SELECT name FROM kinds WHERE slug = OLD.kind) AND specs ? OLD.key;
  END IF;
  RETURN NULL;
END $$;
