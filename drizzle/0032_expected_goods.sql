-- A part's page shows what is expected of it. Receiving changes its stock, which counts already.
CREATE FUNCTION count_expected_goods() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_changes (topic, part_id) VALUES ('part_page', NEW.part_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER delivery_lines_shown AFTER INSERT OR UPDATE OF canceled ON delivery_lines
  FOR EACH ROW EXECUTE FUNCTION count_expected_goods();
