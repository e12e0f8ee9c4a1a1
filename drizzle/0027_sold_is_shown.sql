-- Which part is called the best seller follows from what was sold.
DROP TRIGGER parts_shown_update ON parts;
--> statement-breakpoint
CREATE TRIGGER parts_shown_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    (OLD.deleted_at IS NULL OR NEW.deleted_at IS NULL)
    AND (OLD.name, OLD.kind, OLD.image, OLD.description, OLD.minimum_order_quantity, OLD.price,
         OLD.on_hand - OLD.reserved, OLD.position, OLD.deleted_at, OLD.sold_90)
      IS DISTINCT FROM
        (NEW.name, NEW.kind, NEW.image, NEW.description, NEW.minimum_order_quantity, NEW.price,
         NEW.on_hand - NEW.reserved, NEW.position, NEW.deleted_at, NEW.sold_90)
  ) EXECUTE FUNCTION count_catalogue_change('parts');
