-- What customers cancel is refunded, and not shipped.
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.part_id, NEW.quantity) IS DISTINCT FROM (OLD.user_id, OLD.part_id, OLD.quantity)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.checkout_id <> OLD.checkout_id THEN
    PERFORM FROM checkouts WHERE _id IN (OLD.checkout_id, NEW.checkout_id) ORDER BY _id FOR UPDATE;
    IF OLD.transaction_id IS NOT NULL OR EXISTS (SELECT FROM payments
      WHERE checkout_id IN (OLD.checkout_id, NEW.checkout_id) AND status = ANY ('{open,succeeded}')) THEN
      RAISE EXCEPTION 'order %: its checkout is being paid, or is paid', OLD._id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_frozen';
    END IF;
  END IF;
  IF (NEW.price_cents, NEW.total_cents) IS DISTINCT FROM (OLD.price_cents, OLD.total_cents) AND (
    OLD.status <> 'unpaid' OR NEW.status <> 'unpaid' OR OLD.hold_expires_at IS NOT NULL
    OR EXISTS (SELECT FROM payments WHERE checkout_id = OLD.checkout_id AND status = 'open')
  ) THEN
    RAISE EXCEPTION 'order %: its price is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.tax_cents <> OLD.tax_cents AND (OLD.status <> 'unpaid'
    OR EXISTS (SELECT FROM payments WHERE checkout_id = OLD.checkout_id AND status = ANY ('{open,succeeded}'))) THEN
    RAISE EXCEPTION 'order %: its tax is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.refunded_cents <> OLD.refunded_cents AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'order %: money goes back only by refunds', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status = 'shipped' AND OLD.status = 'paid' AND EXISTS (SELECT FROM refund_lines l JOIN refunds r ON r._id = l.refund_id
    WHERE l.order_id = OLD._id AND r.cause = 'customer' AND r.state = 'requested') THEN
    RAISE EXCEPTION 'order %: its customer canceled it', OLD._id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'orders_canceled';
  END IF;
  IF NEW.status <> OLD.status AND NEW.refunded_cents >= OLD.refunded_cents AND (OLD.status, NEW.status) NOT IN (
    ('unpaid', 'paid'), ('unpaid', 'deleted'), ('paid', 'shipped'), ('paid', 'refunded'), ('shipped', 'refunded')
  ) THEN
    RAISE EXCEPTION 'order % can not go from % to %', OLD._id, OLD.status, NEW.status
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION apply_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r refunds%ROWTYPE;
  p payments%ROWTYPE;
  o record;
  promised bigint;
  given bigint;
  of_shipping bigint;
BEGIN
  SELECT * INTO r FROM refunds WHERE _id = coalesce(to_jsonb(NEW) ->> 'refund_id', to_jsonb(NEW) ->> '_id')::uuid;
  SELECT * INTO p FROM payments WHERE intent_id = r.intent_id;
  -- these locks put the refunds of one checkout one after the other
  PERFORM FROM orders WHERE checkout_id = p.checkout_id ORDER BY _id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount) FILTER (WHERE state <> 'failed'), 0),
      coalesce(sum(amount) FILTER (WHERE state IN ('pending', 'succeeded')), 0)
    INTO promised, given FROM refunds WHERE intent_id = r.intent_id;
  -- people ask for what paid a checkout; what no checkout could take goes back by itself
  IF p.status NOT IN ('succeeded', 'unmatched')
    OR r.cause = ANY (CASE WHEN p.status = 'unmatched' THEN '{admin,customer}' ELSE '{unmatched_payment}'::text[] END) THEN
    RAISE EXCEPTION 'payment %: it is %, so there is no refund of cause %', p.intent_id, p.status, r.cause
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_of_paid';
  END IF;
  IF given > p.amount OR (r.state = 'requested' AND promised > p.amount) THEN
    RAISE EXCEPTION 'payment %: % cents would be given back', p.intent_id, promised
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
  END IF;
  FOR o IN
    SELECT b._id, b.quantity, b.total_cents + b.tax_cents AS due, b.transaction_id, b.shipped_at, coalesce(sum(l.amount) FILTER (WHERE f.state <> 'failed'), 0) AS promised,
      coalesce(sum(l.amount) FILTER (WHERE f.state IN ('pending', 'succeeded')), 0) AS given,
      coalesce(sum(l.restock) FILTER (WHERE f.state <> 'failed'
        OR EXISTS (SELECT FROM stock_movements m WHERE m.refund_id = f._id AND m.order_id = b._id)), 0) AS units
    FROM refund_lines own JOIN orders b ON b._id = own.order_id
      JOIN refund_lines l ON l.order_id = b._id JOIN refunds f ON f._id = l.refund_id
    WHERE own.refund_id = r._id GROUP BY b._id ORDER BY b._id
  LOOP
    IF o.transaction_id IS DISTINCT FROM p.intent_id THEN
      RAISE EXCEPTION 'order %: payment % did not pay it', o._id, p.intent_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_lines_of_paid';
    END IF;
    IF r.cause = 'customer' AND r.state = 'requested' AND o.shipped_at IS NOT NULL THEN
      RAISE EXCEPTION 'order %: it is on its way', o._id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_cancel_unshipped';
    END IF;
    IF o.given > o.due OR (r.state = 'requested' AND o.promised > o.due) THEN
      RAISE EXCEPTION 'order %: % cents would be given back', o._id, o.promised
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
    END IF;
    IF o.units > o.quantity THEN
      RAISE EXCEPTION 'order %: % units would be restocked', o._id, o.units
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_booked';
    END IF;
    UPDATE orders SET refunded_cents = o.given, status = CASE
        WHEN o.given = o.due THEN 'refunded'
        WHEN status <> 'refunded' THEN status
        WHEN shipped_at IS NULL THEN 'paid'
        ELSE 'shipped' END
      WHERE _id = o._id AND refunded_cents <> o.given;
  END LOOP;
  IF EXISTS (SELECT FROM refund_lines WHERE refund_id = r._id AND order_id IS NULL) THEN
    SELECT coalesce(sum(l.amount) FILTER (WHERE f.state <> 'failed'), 0),
        coalesce(sum(l.amount) FILTER (WHERE f.state IN ('pending', 'succeeded')), 0),
        (SELECT shipping_cents + shipping_tax_cents FROM checkouts WHERE _id = p.checkout_id)
      INTO promised, given, of_shipping
      FROM refunds f JOIN refund_lines l ON l.refund_id = f._id WHERE f.intent_id = p.intent_id AND l.order_id IS NULL;
    IF given > of_shipping OR (r.state = 'requested' AND promised > of_shipping) THEN
      RAISE EXCEPTION 'payment %: % cents of its shipping would be given back', p.intent_id, promised
        USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
    END IF;
  END IF;
  RETURN NULL;
END $$;
