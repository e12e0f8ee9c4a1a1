-- An accountant asks on which day money came and went. The database writes it down when a payment or refund gets there.
CREATE FUNCTION date_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IN ('succeeded', 'refund_due', 'refunded') THEN
    NEW.received_at := coalesce(NEW.received_at, now());
  END IF;
  IF NEW.status = 'refunded' THEN
    NEW.returned_at := coalesce(NEW.returned_at, now());
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payments_date BEFORE INSERT OR UPDATE OF status ON payments
  FOR EACH ROW EXECUTE FUNCTION date_payment();
--> statement-breakpoint
CREATE FUNCTION date_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state IN ('pending', 'succeeded') THEN
    NEW.given_at := coalesce(NEW.given_at, now());
  END IF;
  -- one that the provider never took has moved no money
  IF NEW.state = 'failed' AND NEW.given_at IS NOT NULL THEN
    NEW.sent_back_at := coalesce(NEW.sent_back_at, now());
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER refunds_date BEFORE INSERT OR UPDATE OF state ON refunds
  FOR EACH ROW EXECUTE FUNCTION date_refund();
--> statement-breakpoint
-- What happened before: as near as the rows say.
UPDATE payments p SET received_at = coalesce(o.paid_at, p.checked_at) FROM orders o
  WHERE o._id = p.order_id AND p.status = 'succeeded';
--> statement-breakpoint
UPDATE payments SET received_at = created_at WHERE status IN ('refund_due', 'refunded');
--> statement-breakpoint
UPDATE payments SET returned_at = checked_at WHERE status = 'refunded';
--> statement-breakpoint
UPDATE refunds SET given_at = created_at
  WHERE state IN ('pending', 'succeeded') OR (state = 'failed' AND provider_id IS NOT NULL);
--> statement-breakpoint
UPDATE refunds SET sent_back_at = checked_at WHERE state = 'failed' AND provider_id IS NOT NULL;
