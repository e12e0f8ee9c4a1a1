-- What a checkout costs has shipping and tax now.
CREATE OR REPLACE FUNCTION due_of(of_checkout uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(o.total_cents + o.tax_cents) + min(c.shipping_cents + c.shipping_tax_cents), 0)
  FROM orders o JOIN checkouts c ON c._id = o.checkout_id WHERE o.checkout_id = of_checkout AND o.status <> 'deleted'
$$;
--> statement-breakpoint
CREATE FUNCTION guard_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paying text := (SELECT max(status) FROM payments WHERE checkout_id = OLD._id AND status IN ('open', 'succeeded'));
  corrected CONSTANT text[] := '{name,company,line1,line2}';
BEGIN
  IF paying IS NULL THEN
    RETURN NEW;
  END IF;
  IF (NEW.method_name, NEW.method_type, NEW.days_from, NEW.days_to, NEW.shipping_cents, NEW.tax_mode, NEW.tax_name,
      NEW.tax_rate, NEW.shipping_tax_cents)
    IS DISTINCT FROM (OLD.method_name, OLD.method_type, OLD.days_from, OLD.days_to, OLD.shipping_cents, OLD.tax_mode,
      OLD.tax_name, OLD.tax_rate, OLD.shipping_tax_cents)
    OR (NEW.method_id IS DISTINCT FROM OLD.method_id AND NEW.method_id IS NOT NULL) THEN
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
--> statement-breakpoint
CREATE TRIGGER checkouts_guard BEFORE UPDATE ON checkouts FOR EACH ROW EXECUTE FUNCTION guard_checkout();
--> statement-breakpoint
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
  IF NEW.status <> OLD.status AND NEW.refunded_cents >= OLD.refunded_cents AND (OLD.status, NEW.status) NOT IN (
    ('unpaid', 'paid'), ('unpaid', 'deleted'), ('paid', 'shipped'), ('paid', 'refunded'), ('shipped', 'refunded')
  ) THEN
    RAISE EXCEPTION 'order % can not go from % to %', OLD._id, OLD.status, NEW.status
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE
    WHEN TG_OP = 'INSERT' THEN 'order.booked'
    WHEN NEW.refunded_cents > OLD.refunded_cents THEN 'order.refunded'
    WHEN NEW.refunded_cents < OLD.refunded_cents THEN 'order.refund_failed'
    WHEN NEW.status = 'deleted' THEN 'order.canceled'
    ELSE 'order.' || NEW.status END;
BEGIN
  INSERT INTO webhook_messages (endpoint_id, order_id, type, payload)
    SELECT _id, NEW._id, event, json_build_object(
      'type', event, 'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', json_build_object('_id', NEW._id, 'number', NEW.number, 'status', NEW.status, 'partId', NEW.part_id,
        'product', NEW.product, 'quantity', NEW.quantity, 'currency', (SELECT currency FROM shop),
        'price', trim_scale(NEW.price_cents / 100.0), 'totalPrice', trim_scale(NEW.total_cents / 100.0),
        'refunded', trim_scale(NEW.refunded_cents / 100.0), 'carrier', NEW.carrier,
        'trackingNumber', NEW.tracking_number, 'checkoutId', NEW.checkout_id, 'taxTotal', trim_scale(NEW.tax_cents / 100.0),
        'method', (SELECT method_name FROM checkouts WHERE _id = NEW.checkout_id)))
    FROM webhook_endpoints WHERE disabled_at IS NULL AND event = ANY (events);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_open_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM checkouts WHERE _id = NEW.checkout_id FOR UPDATE;
  IF NEW.amount <> due_of(NEW.checkout_id) THEN
    RAISE EXCEPTION 'payment %: it asks for another sum than its checkout costs', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_open_due';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
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
  -- an admin refunds what paid a checkout; what no checkout could take goes back by itself
  IF p.status NOT IN ('succeeded', 'unmatched')
    OR r.cause = (CASE WHEN p.status = 'unmatched' THEN 'admin' ELSE 'unmatched_payment' END) THEN
    RAISE EXCEPTION 'payment %: it is %, so there is no refund of cause %', p.intent_id, p.status, r.cause
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_of_paid';
  END IF;
  IF given > p.amount OR (r.state = 'requested' AND promised > p.amount) THEN
    RAISE EXCEPTION 'payment %: % cents would be given back', p.intent_id, promised
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
  END IF;
  FOR o IN
    SELECT b._id, b.quantity, b.total_cents + b.tax_cents AS due, b.transaction_id, coalesce(sum(l.amount) FILTER (WHERE f.state <> 'failed'), 0) AS promised,
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
--> statement-breakpoint
CREATE TRIGGER shipping_methods_shown AFTER INSERT OR UPDATE OR DELETE ON shipping_methods
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
