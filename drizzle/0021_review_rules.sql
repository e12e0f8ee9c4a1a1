-- Who may publish a review: a confirmed address, and without a paid order one a day. The author's row is locked first:
-- of two reviews at once the second waits here and then counts the first. A review that its author removed counts too.
CREATE FUNCTION guard_review() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_confirmed boolean;
BEGIN
  SELECT email_verified INTO is_confirmed FROM users WHERE _id = NEW.user_id FOR NO KEY UPDATE;
  NEW.bought_here := EXISTS (SELECT FROM orders WHERE user_id = NEW.user_id AND status IN ('paid', 'shipped'));
  IF TG_OP = 'UPDATE' THEN
    NEW.bought_here := NEW.bought_here OR OLD.bought_here;
    RETURN NEW;
  END IF;
  IF is_confirmed IS NOT TRUE THEN
    RAISE EXCEPTION 'user %: reviews need a confirmed address', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reviews_confirmed';
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
CREATE TRIGGER reviews_within_rules BEFORE INSERT OR UPDATE OF review ON reviews
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION guard_review();
--> statement-breakpoint
UPDATE reviews SET bought_here = true WHERE EXISTS (
  SELECT FROM orders o WHERE o.user_id = reviews.user_id AND o.status IN ('paid', 'shipped') AND o.paid_at <= reviews.created_at
);
