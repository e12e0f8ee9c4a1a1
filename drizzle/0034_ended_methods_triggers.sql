-- The chosen method is frozen too: methods end, and are no longer deleted.
CREATE OR REPLACE FUNCTION guard_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paying text := (SELECT max(status) FROM payments WHERE checkout_id = OLD._id AND status IN ('open', 'succeeded'));
  corrected CONSTANT text[] := '{name,company,line1,line2}';
BEGIN
  IF paying IS NULL THEN
    RETURN NEW;
  END IF;
  IF (NEW.method_id, NEW.method_name, NEW.method_type, NEW.days_from, NEW.days_to, NEW.shipping_cents, NEW.tax_mode,
      NEW.tax_name, NEW.tax_rate, NEW.shipping_tax_cents)
    IS DISTINCT FROM (OLD.method_id, OLD.method_name, OLD.method_type, OLD.days_from, OLD.days_to, OLD.shipping_cents,
      OLD.tax_mode, OLD.tax_name, OLD.tax_rate, OLD.shipping_tax_cents) THEN
    RAISE EXCEPTION 'checkout %: it is being paid, or is paid, and what made its price is frozen', OLD._id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_frozen';
  END IF;
  IF (NEW.ship_to, NEW.bill_to, NEW.tax_number) IS NOT DISTINCT FROM (OLD.ship_to, OLD.bill_to, OLD.tax_number) THEN
    RETURN NEW;
  END IF;
  IF EXISTS (SELECT FROM users WHERE _id = OLD.user_id AND deleted_at IS NOT NULL) THEN
    IF (NEW.ship_to -> 'country', NEW.ship_to -> 'region') IS DISTINCT FROM (OLD.ship_to -> 'country', OLD.ship_to -> 'region') THEN
      RAISE EXCEPTION 'checkout %: where it went made its price', OLD._id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_address_frozen';
    END IF;
  ELSIF paying = 'open' OR (NEW.bill_to, NEW.tax_number) IS DISTINCT FROM (OLD.bill_to, OLD.tax_number)
    OR NEW.ship_to - corrected IS DISTINCT FROM OLD.ship_to - corrected
    OR NOT EXISTS (SELECT FROM orders WHERE checkout_id = OLD._id AND status = 'paid') THEN
    RAISE EXCEPTION 'checkout %: its address is frozen', OLD._id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_address_frozen';
  END IF;
  RETURN NEW;
END $$;
