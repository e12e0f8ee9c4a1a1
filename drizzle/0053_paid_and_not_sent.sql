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
