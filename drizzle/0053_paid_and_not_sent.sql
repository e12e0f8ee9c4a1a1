-- A review needs a verified address. Without a paid order, a user can write one a day, and removed
-- reviews count. The lock on the author's row makes the second of two concurrent reviews wait and
-- then count the first. The lock on the orders that can still be canceled makes a new review wait for
-- the refund of one; the refund waits for the review.
CREATE OR REPLACE FUNCTION guard_review() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_verified boolean;
BEGIN
  SELECT email_verified INTO is_verified FROM users WHERE _id = NEW.user_id FOR NO KEY UPDATE;
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM orders WHERE user_id = NEW.user_id AND status = 'paid' ORDER BY _id FOR SHARE;
  END IF;
  NEW.bought_here := EXISTS (SELECT FROM orders WHERE user_id = NEW.user_id AND status IN ('paid', 'shipped')
    AND (NEW.part_id IS NULL OR part_id = NEW.part_id));
  IF TG_OP = 'UPDATE' THEN
    NEW.bought_here := NEW.bought_here OR OLD.bought_here;
    RETURN NEW;
  END IF;
  IF is_verified IS NOT TRUE THEN
    RAISE EXCEPTION 'user %: reviews need a verified address', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reviews_verified';
  END IF;
  IF NOT NEW.bought_here AND EXISTS (
    SELECT FROM reviews WHERE user_id = NEW.user_id AND created_at > now() - interval '1 day'
  ) THEN
    RAISE EXCEPTION 'user %: one review a day without a paid order', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reviews_one_a_day';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Who got all money back for all that was bought, before any of it was sent, did not buy here: of a
-- review of a part, its orders count. Does not look at the mark, because an edit of this moment may set it.
CREATE FUNCTION unmark_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reviews r SET bought_here = false
    WHERE r.user_id = NEW.user_id AND (r.part_id IS NULL OR r.part_id = NEW.part_id)
      AND NOT EXISTS (SELECT FROM orders o WHERE o.user_id = r.user_id AND (r.part_id IS NULL OR o.part_id = r.part_id)
        AND (o.status IN ('paid', 'shipped') OR o.shipped_at IS NOT NULL));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_unmark_reviews AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (NEW.status = 'refunded' AND OLD.status <> 'refunded' AND NEW.shipped_at IS NULL)
  EXECUTE FUNCTION unmark_reviews();
--> statement-breakpoint
-- What a checkout costs changes only while nobody is paying it. Once it is paid, its address is
-- where its price came from: only name, company and street can be corrected, until all is shipped.
-- One that was paid without a choice of delivery gets an address once, until then.
-- When its account is deleted, the country and the region remain.
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
    OR (NEW.ship_to - corrected IS DISTINCT FROM OLD.ship_to - corrected
      AND (OLD.ship_to IS NOT NULL OR OLD.method_id IS NOT NULL))
    OR NOT EXISTS (SELECT FROM orders WHERE checkout_id = OLD._id AND status = 'paid') THEN
    RAISE EXCEPTION 'checkout %: its address is frozen', OLD._id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_address_frozen';
  END IF;
  RETURN NEW;
END $$;
