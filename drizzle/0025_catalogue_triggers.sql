-- What visitors see is told by a row that every process reads, not by NOTIFY: a pooler delivers no notifications.
DROP TRIGGER parts_announce ON parts;
--> statement-breakpoint
DROP TRIGGER reviews_announce ON reviews;
--> statement-breakpoint
DROP FUNCTION announce_catalogue();
--> statement-breakpoint
-- The topic is the trigger's argument, so that another table that a page comes to show can count for it too.
CREATE FUNCTION count_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_changes (topic) VALUES (TG_ARGV[0]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER parts_shown_insert AFTER INSERT ON parts
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION count_catalogue_change('parts');
--> statement-breakpoint
CREATE TRIGGER parts_shown_delete AFTER DELETE ON parts
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION count_catalogue_change('parts');
--> statement-breakpoint
-- Of stock visitors see what is available: a sale of held units moves nothing.
CREATE TRIGGER parts_shown_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    (OLD.deleted_at IS NULL OR NEW.deleted_at IS NULL)
    AND (OLD.name, OLD.kind, OLD.image, OLD.description, OLD.minimum_order_quantity, OLD.price,
         OLD.on_hand - OLD.reserved, OLD.position, OLD.deleted_at)
      IS DISTINCT FROM
        (NEW.name, NEW.kind, NEW.image, NEW.description, NEW.minimum_order_quantity, NEW.price,
         NEW.on_hand - NEW.reserved, NEW.position, NEW.deleted_at)
  ) EXECUTE FUNCTION count_catalogue_change('parts');
--> statement-breakpoint
CREATE TRIGGER reviews_shown_insert AFTER INSERT ON reviews
  FOR EACH ROW WHEN (NEW.hidden_at IS NULL AND NEW.removed_at IS NULL)
  EXECUTE FUNCTION count_catalogue_change('reviews');
--> statement-breakpoint
CREATE TRIGGER reviews_shown_delete AFTER DELETE ON reviews
  FOR EACH ROW WHEN (OLD.hidden_at IS NULL AND OLD.removed_at IS NULL)
  EXECUTE FUNCTION count_catalogue_change('reviews');
--> statement-breakpoint
CREATE TRIGGER reviews_shown_update AFTER UPDATE ON reviews
  FOR EACH ROW WHEN (
    OLD.* IS DISTINCT FROM NEW.*
    AND ((OLD.hidden_at IS NULL AND OLD.removed_at IS NULL) OR (NEW.hidden_at IS NULL AND NEW.removed_at IS NULL))
  ) EXECUTE FUNCTION count_catalogue_change('reviews');
