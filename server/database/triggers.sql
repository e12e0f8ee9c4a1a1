-- All functions and triggers that are in force in the database: the one place to read them.
-- Migrations create them: the initial one contains all, a later one only the statements that it
-- changes. `triggers.test.ts` fails while a migrated database and this file differ. Rules about a
-- single row are CHECK constraints in `schema/`.

-- Append-only tables ------------------------------------------------------------------------------------------------

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER stock_movements_append_only BEFORE UPDATE ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The only rows that can be removed: an order that was deleted unpaid, after 90 days, with its
-- lines in the ledger and the audit log (cascading foreign keys). It holds no units and sold none,
-- so the sums of the ledger stay the same. No line is deleted alone.
CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'orders' THEN
    IF OLD.deleted_at < now() - interval '90 days' THEN
      RETURN OLD;
    END IF;
  ELSIF OLD.order_id IS NOT NULL AND NOT EXISTS (SELECT FROM orders WHERE _id = OLD.order_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER orders_never_removed BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER stock_movements_never_removed BEFORE DELETE ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER audit_log_never_removed BEFORE DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER refunds_never_removed BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- TRUNCATE fires no row trigger.
CREATE TRIGGER stock_movements_never_emptied BEFORE TRUNCATE ON stock_movements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refunds_never_emptied BEFORE TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Stock -------------------------------------------------------------------------------------------------------------

-- Stock changes only by a row in stock_movements. This trigger adds it to the part's counters,
-- whose CHECK constraints refuse units that do not exist. Sold units stay reserved until they are
-- shipped.
CREATE FUNCTION apply_stock_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  booked integer;
  to_pack integer := 0;
  part_state text;
BEGIN
  IF NEW.order_id IS NOT NULL THEN
    SELECT quantity INTO booked FROM orders WHERE _id = NEW.order_id AND part_id = NEW.part_id;
    to_pack := CASE NEW.type WHEN 'sell' THEN booked
      WHEN 'hold' THEN 0 WHEN 'release' THEN 0 ELSE NEW.reserved_delta END;
    IF NEW.type = 'sell' AND NEW.on_hand_delta <> 0 THEN
      RAISE EXCEPTION 'order %: what is sold stays on the shelf until it is shipped', NEW.order_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_sold_on_shelf';
    END IF;
  END IF;
  UPDATE parts SET on_hand = on_hand + NEW.on_hand_delta, reserved = reserved + NEW.reserved_delta,
      to_ship = to_ship + coalesce(to_pack, 0)
    WHERE _id = NEW.part_id RETURNING state INTO part_state;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such part: %', NEW.part_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF NEW.type = 'hold' AND part_state = 'draft' THEN
    RAISE EXCEPTION 'part % is a draft', NEW.part_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_no_draft';
  END IF;
  IF NEW.delivery_line_id IS NOT NULL THEN
    UPDATE delivery_lines SET received = received + NEW.on_hand_delta
      WHERE _id = NEW.delivery_line_id AND part_id = NEW.part_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'line % of a delivery brings no part %', NEW.delivery_line_id, NEW.part_id
        USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;
  IF NEW.order_id IS NOT NULL AND NEW.reserved_delta <> 0 THEN
    SELECT coalesce(sum(reserved_delta), 0) INTO held FROM stock_movements WHERE order_id = NEW.order_id;
    IF booked IS NULL OR held NOT BETWEEN 0 AND booked THEN
      RAISE EXCEPTION 'order % would hold % units', NEW.order_id, held
        USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_order_hold';
    END IF;
  END IF;
  IF NEW.place_id IS NOT NULL AND (SELECT sum(reserved_delta) FROM stock_movements WHERE place_id = NEW.place_id) <> (
    SELECT coalesce(sum(quantity), 0) FROM queue_places
    WHERE _id = NEW.place_id AND part_id = NEW.part_id AND offered_at IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'place %: the offer and the ledger differ', NEW.place_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_offer';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER stock_movements_apply AFTER INSERT ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION apply_stock_movement();

-- Only apply_stock_movement (trigger depth 2) writes the counters.
CREATE FUNCTION guard_stock_counters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.on_hand <> 0 OR NEW.reserved <> 0 OR NEW.to_ship <> 0 THEN
      RAISE EXCEPTION 'a new part starts with no stock; receive it by stock_movements'
        USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF (NEW.on_hand, NEW.reserved, NEW.to_ship) IS DISTINCT FROM (OLD.on_hand, OLD.reserved, OLD.to_ship)
    AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'stock changes only by stock_movements' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER parts_guard_stock BEFORE INSERT OR UPDATE ON parts
  FOR EACH ROW EXECUTE FUNCTION guard_stock_counters();

-- Only the ledger (trigger depth 2) writes the received units of a delivery line. The ordered units
-- are frozen.
CREATE FUNCTION guard_delivery_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.received <> 0 THEN
      RAISE EXCEPTION 'a new line has received nothing' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF (NEW.delivery_id, NEW.part_id, NEW.quantity) IS DISTINCT FROM (OLD.delivery_id, OLD.part_id, OLD.quantity)
    OR (NEW.received <> OLD.received AND pg_trigger_depth() < 2) THEN
    RAISE EXCEPTION 'goods are received only by stock_movements' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER delivery_lines_guard BEFORE INSERT OR UPDATE ON delivery_lines
  FOR EACH ROW EXECUTE FUNCTION guard_delivery_line();

-- Orders ------------------------------------------------------------------------------------------------------------

-- A checkout begins with its first order and ends with its last, which may move to another
-- checkout. An order joins it only while it is not being paid: an open payment covers the orders
-- that were there when it began.
CREATE FUNCTION begin_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO checkouts (_id, user_id) VALUES (NEW.checkout_id, NEW.user_id) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    PERFORM FROM checkouts WHERE _id = NEW.checkout_id FOR UPDATE;
    IF EXISTS (SELECT FROM payments WHERE checkout_id = NEW.checkout_id AND status IN ('open', 'succeeded')) THEN
      RAISE EXCEPTION 'checkout %: it is being paid, and takes no more orders', NEW.checkout_id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'checkouts_frozen';
    END IF;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_begin_checkout BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION begin_checkout();

CREATE FUNCTION end_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM checkouts c WHERE c._id = OLD.checkout_id AND NOT EXISTS (SELECT FROM orders WHERE checkout_id = c._id);
  RETURN NULL;
END $$;

CREATE TRIGGER orders_end_checkout AFTER DELETE OR UPDATE OF checkout_id ON orders
  FOR EACH ROW EXECUTE FUNCTION end_checkout();

-- What a checkout costs: its orders, except deleted ones, and their shipping, with the tax that is
-- added to both. Nothing without an order.
CREATE FUNCTION due_of(of_checkout uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(o.total_cents + o.tax_cents) + min(c.shipping_cents + c.shipping_tax_cents), 0)
  FROM orders o JOIN checkouts c ON c._id = o.checkout_id WHERE o.checkout_id = of_checkout AND o.status <> 'deleted'
$$;

-- What a checkout costs changes only while nobody is paying it. Once it is paid, its address is
-- where its price came from: only name, company and street can be corrected, until all is shipped.
-- One that was paid without a choice of delivery gets an address once, until then.
-- When its account is deleted, the country and the region remain.
CREATE FUNCTION guard_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER checkouts_guard BEFORE UPDATE ON checkouts FOR EACH ROW EXECUTE FUNCTION guard_checkout();

-- An order's status follows the table in contracts/orders.ts, and what was booked and paid is
-- frozen. An unpaid order takes a new price only while it cannot be paid at the old one: without a
-- hold and without an open payment. Only a refund (trigger depth 2) changes the refunded amount;
-- when a bank returns the money, the order goes back to its former status. What its customer
-- canceled is not shipped.
CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;

CREATE TRIGGER orders_guard BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();

-- The number is on receipts: an order keeps it for good.
CREATE TRIGGER orders_keep_number BEFORE UPDATE OF number ON orders
  FOR EACH ROW WHEN (NEW.number IS DISTINCT FROM OLD.number) EXECUTE FUNCTION refuse_change();

-- Records when the last hold of an unpaid order ended. Cleared when the order is held again, paid
-- or deleted.
CREATE FUNCTION note_hold_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.hold_ended_at := CASE
    WHEN NEW.status <> 'unpaid' OR NEW.hold_expires_at IS NOT NULL THEN NULL
    WHEN OLD.hold_expires_at IS NOT NULL THEN least(OLD.hold_expires_at, now())
    ELSE OLD.hold_ended_at
  END;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_note_hold_end BEFORE UPDATE OF hold_expires_at, status ON orders
  FOR EACH ROW EXECUTE FUNCTION note_hold_end();

-- At commit, checks that order, ledger and payments agree. An order with a hold has its units
-- reserved. A paid order has sold its units and keeps them reserved until it is shipped, except
-- those that a refund restocked; a payment of its checkout's total paid it. Takes units off the
-- shelf that are fully refunded before shipping and not put back on sale. This happens here because
-- the refund's restock comes after the status. When a bank returns the refund, the units are to be
-- shipped again.
CREATE FUNCTION check_order_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders%ROWTYPE;
  held integer;
  sold integer;
  restocked integer;
  written_off integer;
  due integer;
BEGIN
  SELECT * INTO o FROM orders WHERE _id = (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
  SELECT coalesce(sum(reserved_delta), 0), count(*) FILTER (WHERE type = 'sell'),
      coalesce(sum(on_hand_delta - reserved_delta) FILTER (WHERE type = 'restock'), 0),
      coalesce(-sum(reserved_delta) FILTER (WHERE type IN ('sell', 'write off', 'shelve')), 0)
    INTO held, sold, restocked, written_off FROM stock_movements WHERE order_id = o._id;
  due := CASE WHEN o.status = 'paid' THEN o.quantity - restocked WHEN o.hold_expires_at IS NULL THEN 0 ELSE o.quantity END;
  IF o.status = 'refunded' AND o.shipped_at IS NULL AND held > 0 OR o.status = 'paid' AND held < due AND written_off > 0 THEN
    INSERT INTO stock_movements (part_id, order_id, type, on_hand_delta, reserved_delta)
      VALUES (o.part_id, o._id, CASE WHEN held > due THEN 'write off' ELSE 'shelve' END, due - held, due - held);
    held := due;
  END IF;
  IF held <> due THEN
    RAISE EXCEPTION 'order %: what it has on the shelf and the ledger differ', o._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_hold_in_ledger';
  END IF;
  IF (o.transaction_id IS NOT NULL) <> (sold = 1) THEN
    RAISE EXCEPTION 'order %: paid and sold differ', o._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_sold_in_ledger';
  END IF;
  IF o.transaction_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM payments WHERE intent_id = o.transaction_id AND checkout_id = o.checkout_id
      AND amount = due_of(o.checkout_id) AND status = 'succeeded'
  ) THEN
    RAISE EXCEPTION 'order %: paid without a payment of its total', o._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_paid_in_payments';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER orders_check_ledger AFTER INSERT OR UPDATE ON orders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_ledger('_id');
CREATE CONSTRAINT TRIGGER stock_movements_check_order AFTER INSERT ON stock_movements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.order_id IS NOT NULL AND NEW.type <> 'hold')
  EXECUTE FUNCTION check_order_ledger('order_id');

-- Queues a message for every webhook that subscribes to the event, in the transaction of the
-- change. The message does not name the customer.
CREATE FUNCTION tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER orders_tell_booked AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION tell_webhooks();
CREATE TRIGGER orders_tell_change AFTER UPDATE OF status, refunded_cents ON orders
  FOR EACH ROW WHEN ((OLD.status, OLD.refunded_cents) IS DISTINCT FROM (NEW.status, NEW.refunded_cents))
  EXECUTE FUNCTION tell_webhooks();

-- Payments ----------------------------------------------------------------------------------------------------------

-- Dates the arrival of money, for accounting: received_at is when a payment first succeeded,
-- matched or not.
CREATE FUNCTION date_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IN ('succeeded', 'unmatched') THEN
    NEW.received_at := coalesce(NEW.received_at, now());
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payments_date BEFORE INSERT OR UPDATE OF status ON payments
  FOR EACH ROW EXECUTE FUNCTION date_payment();

-- At commit, checks that a payment that succeeded paid every order of its checkout, and nothing
-- else. Reads the orders at commit, because the payment may change before they do.
CREATE FUNCTION check_paid_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.amount <> due_of(NEW.checkout_id) OR EXISTS (SELECT FROM orders
    WHERE checkout_id = NEW.checkout_id AND status <> 'deleted' AND transaction_id IS DISTINCT FROM NEW.intent_id) THEN
    RAISE EXCEPTION 'payment %: it does not pay its whole checkout', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_pay_checkout';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER payments_check_checkout AFTER INSERT OR UPDATE ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'succeeded') EXECUTE FUNCTION check_paid_checkout();

-- The amount of an open payment is the total of its checkout. Until the payment ends, the orders
-- keep their prices, and no others join.
CREATE FUNCTION check_open_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM checkouts WHERE _id = NEW.checkout_id FOR UPDATE;
  IF NEW.amount <> due_of(NEW.checkout_id) THEN
    RAISE EXCEPTION 'payment %: it asks for another sum than its checkout costs', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_open_due';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payments_check_open BEFORE INSERT ON payments
  FOR EACH ROW WHEN (NEW.status = 'open') EXECUTE FUNCTION check_open_payment();

-- At commit, checks that a payment that no checkout could take has a refund: the shop never keeps
-- such money.
CREATE FUNCTION check_unmatched_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM refunds WHERE intent_id = NEW.intent_id) THEN
    RAISE EXCEPTION 'payment %: no checkout took it, and no refund of it is recorded', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_unmatched_refunded';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER payments_check_unmatched AFTER INSERT OR UPDATE OF status ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'unmatched')
  EXECUTE FUNCTION check_unmatched_payment();

-- Refunds -----------------------------------------------------------------------------------------------------------

-- A refund only moves forward, and what was requested is frozen.
CREATE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.intent_id, NEW.cause, NEW.amount, NEW.reason, NEW.requested_by, NEW.idempotency_key, NEW.request_hash, NEW.ticket_id)
    IS DISTINCT FROM (OLD.intent_id, OLD.cause, OLD.amount, OLD.reason, OLD.requested_by, OLD.idempotency_key,
      OLD.request_hash, OLD.ticket_id)
    OR (OLD.provider_id IS NOT NULL AND NEW.provider_id IS DISTINCT FROM OLD.provider_id) THEN
    RAISE EXCEPTION 'refund %: what was asked for is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state <> OLD.state AND array_position(ARRAY['requested', 'pending', 'succeeded', 'failed'], NEW.state)
    < array_position(ARRAY['requested', 'pending', 'succeeded', 'failed'], OLD.state) THEN
    RAISE EXCEPTION 'refund % can not go from % to %', OLD._id, OLD.state, NEW.state
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER refunds_guard BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();

-- Dates when the provider accepted a refund, and when a bank returned it. A refund that the
-- provider never accepted moved no money, so it gets neither date.
CREATE FUNCTION date_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state IN ('pending', 'succeeded') THEN
    NEW.given_at := coalesce(NEW.given_at, now());
  END IF;
  IF NEW.state = 'failed' AND NEW.given_at IS NOT NULL THEN
    NEW.sent_back_at := coalesce(NEW.sent_back_at, now());
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER refunds_date BEFORE INSERT OR UPDATE OF state ON refunds
  FOR EACH ROW EXECUTE FUNCTION date_refund();

-- Keeps the refunds of a payment within the paid amount, and those of an order and its units within
-- the booked ones, and those of the shipping within its price. Sets an order's refunded_cents to the sum of its lines. Marks a fully refunded
-- order as refunded, until a bank returns a refund. A refund is inserted before its lines, so
-- inserting a line does the same as changing the refund's state.
CREATE FUNCTION apply_refund() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER refunds_apply AFTER INSERT OR UPDATE OF state ON refunds
  FOR EACH ROW EXECUTE FUNCTION apply_refund();
CREATE TRIGGER refund_lines_apply AFTER INSERT ON refund_lines FOR EACH ROW EXECUTE FUNCTION apply_refund();
CREATE TRIGGER refund_lines_append_only BEFORE UPDATE OR DELETE ON refund_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_lines_never_emptied BEFORE TRUNCATE ON refund_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- At commit, checks that the lines of a refund add up to its amount; an unmatched payment's refund
-- has none. A refund that the provider accepted has restocked the units of its lines, with a stock
-- movement of each order's part. A requested refund has restocked none.
CREATE FUNCTION check_refund_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r refunds%ROWTYPE;
BEGIN
  SELECT * INTO r FROM refunds WHERE _id = coalesce(to_jsonb(NEW) ->> 'refund_id', to_jsonb(NEW) ->> '_id')::uuid;
  IF (SELECT coalesce(sum(amount), 0) FROM refund_lines WHERE refund_id = r._id)
    <> (SELECT CASE status WHEN 'unmatched' THEN 0 ELSE r.amount END FROM payments WHERE intent_id = r.intent_id) THEN
    RAISE EXCEPTION 'refund %: its lines do not sum up to it', r._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_lines_sum';
  END IF;
  IF EXISTS (
    SELECT FROM refund_lines l JOIN orders o ON o._id = l.order_id
      LEFT JOIN stock_movements m ON (m.refund_id, m.order_id) = (l.refund_id, l.order_id)
      CROSS JOIN LATERAL (SELECT coalesce(m.on_hand_delta - m.reserved_delta, 0)) restocked (units)
    WHERE l.refund_id = r._id AND (m.part_id <> o.part_id OR units NOT IN (0, l.restock)
      OR (r.state = 'requested' AND units > 0) OR (r.state IN ('pending', 'succeeded') AND units <> l.restock))
  ) THEN
    RAISE EXCEPTION 'refund %: restocked and the ledger differ', r._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_restocked_in_ledger';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER refunds_check_ledger AFTER INSERT OR UPDATE ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_refund_ledger();
CREATE CONSTRAINT TRIGGER refund_lines_check_ledger AFTER INSERT ON refund_lines
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_refund_ledger();
CREATE CONSTRAINT TRIGGER stock_movements_check_refund AFTER INSERT ON stock_movements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.refund_id IS NOT NULL) EXECUTE FUNCTION check_refund_ledger();

-- Papers ------------------------------------------------------------------------------------------------------------

-- An invoice never changes, and none is missing.
CREATE TRIGGER invoices_append_only BEFORE UPDATE OR DELETE ON invoices
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoices_never_emptied BEFORE TRUNCATE ON invoices
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A number follows the last of its series and year: what was drawn was used.
CREATE FUNCTION check_invoice_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number <> 1 + coalesce((SELECT max(number) FROM invoices WHERE series = NEW.series AND year = NEW.year), 0) THEN
    RAISE EXCEPTION 'invoice %-%-%: it does not follow the last one', NEW.year, NEW.series, NEW.number
      USING ERRCODE = 'check_violation', CONSTRAINT = 'invoices_without_gap';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER invoices_check_number BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION check_invoice_number();

-- Users -------------------------------------------------------------------------------------------------------------

-- Keeps at least one active admin: with the role, a verified e-mail, and not disabled. The check
-- runs at commit, one transaction at a time. When two admins revoke each other's role at once, the
-- second is refused.
CREATE FUNCTION keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('keep_an_admin'));
  IF NOT EXISTS (SELECT FROM users WHERE role = 'admin' AND email_verified AND disabled_at IS NULL) THEN
    RAISE EXCEPTION 'the last admin can not be lost'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_last_admin';
  END IF;
  RETURN NULL;
END $$;

-- A change of email_verified does not fire it: an identity provider that no longer verifies an
-- address must not lock an admin out.
CREATE CONSTRAINT TRIGGER users_keep_an_admin AFTER UPDATE OF role, disabled_at ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.role = 'admin' AND OLD.email_verified AND OLD.disabled_at IS NULL
    AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION keep_an_admin();
CREATE CONSTRAINT TRIGGER users_keep_an_admin_row AFTER DELETE ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.role = 'admin' AND OLD.email_verified AND OLD.disabled_at IS NULL)
  EXECUTE FUNCTION keep_an_admin();

-- API keys act for an admin. They are deleted when the admin loses the role, is disabled or deletes
-- the account.
CREATE FUNCTION end_keys_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM api_keys WHERE user_id = NEW._id;
  RETURN NULL;
END $$;

CREATE TRIGGER users_end_keys AFTER UPDATE OF role, disabled_at ON users
  FOR EACH ROW WHEN (OLD.role = 'admin' AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION end_keys_of_user();

-- The mailbox of an address. At nearly all providers, a plus and what follows it do not count.
-- Neither do dots at Gmail, nor dots, hyphens and underscores at Proton.
CREATE FUNCTION mailbox_of(address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com') THEN replace(name, '.', '') || '@gmail.com'
    WHEN domain IN ('proton.me', 'protonmail.com', 'pm.me') THEN translate(name, '.-_', '') || '@proton.me'
    ELSE name || '@' || domain END
  FROM (VALUES (split_part(split_part(lower(address), '@', 1), '+', 1), split_part(lower(address), '@', 2)))
    AS halves (name, domain)
$$;

-- Identifies a mailbox where the record must outlast its accounts. STABLE, as `convert_to` is: a
-- booking has ten of them, and PostgreSQL inlines no immutable function that calls a stable one.
CREATE FUNCTION mailbox_key(mailbox text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(mailbox, 'UTF8'))
$$;

-- Records the mailbox that paid an order; it outlasts the account.
CREATE FUNCTION note_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.payer := (SELECT mailbox_key(mailbox) FROM users WHERE _id = NEW.user_id);
  RETURN NEW;
END $$;

CREATE TRIGGER orders_note_payer BEFORE INSERT ON orders
  FOR EACH ROW WHEN (NEW.status IN ('paid', 'shipped')) EXECUTE FUNCTION note_payer();
CREATE TRIGGER orders_note_payer_later BEFORE UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status = 'unpaid' AND NEW.status = 'paid') EXECUTE FUNCTION note_payer();

-- Whether a mailbox has paid an order that was not fully refunded, and whose payment was never
-- disputed.
CREATE FUNCTION has_paid(of_mailbox text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM orders o
    WHERE o.payer = mailbox_key(of_mailbox) AND o.status IN ('paid', 'shipped')
      AND NOT EXISTS (SELECT FROM audit_log a WHERE a.order_id = o._id AND a.action = 'payment disputed'));
END $$;

-- The holds and offers that a mailbox abandoned within a day. Orders of a checkout, which are
-- abandoned at the same time, count once. What a mailbox deleted counts only if it never paid.
CREATE FUNCTION abandoned_lately(of_mailbox text) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT count(DISTINCT a.created_at) FROM abandoned_holds a
    WHERE a.mailbox = mailbox_key(of_mailbox) AND a.created_at > now() - interval '1 day' AND a.cause <> 'released'
      AND (a.cause <> 'hold deleted' OR NOT has_paid(of_mailbox)));
END $$;

-- Other mailboxes that have a hold or an offer of the part, and never paid or paid less than they
-- hold: neighbours are on these networks, strangers on any. Both stop at three: a crowd may have
-- thousands, and a higher number changes no decision. For the same reason it looks at 200 holders
-- at most for strangers: each of hundreds may have paid.
CREATE FUNCTION unpaid_holders(of_mailbox text, of_part uuid, of_networks text[],
  OUT neighbours integer, OUT strangers integer) LANGUAGE plpgsql STABLE AS $$
DECLARE
  seen text[] := '{}';
  payers text[] := '{}';
  holder text;
BEGIN
  FOR holder IN SELECT u.mailbox FROM orders o JOIN users u ON u._id = o.user_id
    WHERE o.networks && of_networks AND o.part_id = of_part AND o.hold_expires_at > now() AND u.mailbox <> of_mailbox
    UNION ALL SELECT u.mailbox FROM queue_places q JOIN users u ON u._id = q.user_id
    WHERE q.networks && of_networks AND q.part_id = of_part AND q.offered_at IS NOT NULL AND u.mailbox <> of_mailbox
  LOOP
    CONTINUE WHEN holder = ANY (seen) OR holder = ANY (payers);
    IF has_paid(holder) THEN
      payers := payers || holder;
    ELSE
      seen := seen || holder;
    END IF;
    EXIT WHEN cardinality(seen) = 3;
  END LOOP;
  IF cardinality(seen) < 3 AND payers <> '{}' THEN
    seen := seen || ARRAY(SELECT uncovered(payers) LIMIT 3 - cardinality(seen));
  END IF;
  neighbours := cardinality(seen);
  strangers := neighbours;
  IF neighbours = 3 THEN
    RETURN;
  END IF;
  -- no join, which would read all users at once
  FOR holder IN SELECT (SELECT u.mailbox FROM users u WHERE u._id = h.user_id) FROM (
      SELECT user_id FROM orders WHERE part_id = of_part AND hold_expires_at > now()
      UNION ALL SELECT user_id FROM queue_places WHERE part_id = of_part AND offered_at IS NOT NULL
      LIMIT 200) h
  LOOP
    EXIT WHEN cardinality(seen) = 3;
    CONTINUE WHEN holder = of_mailbox OR holder = ANY (seen) OR holder = ANY (payers);
    IF has_paid(holder) THEN
      payers := payers || holder;
    ELSE
      seen := seen || holder;
    END IF;
  END LOOP;
  IF cardinality(seen) < 3 AND payers <> '{}' THEN
    seen := ARRAY(SELECT unnest(seen) UNION SELECT uncovered(payers) LIMIT 3);
  END IF;
  strangers := cardinality(seen);
END $$;

-- Each mailbox's trust in cents: how much it may have unpaid beyond the allowance of a mailbox that
-- never paid. Trust is what the mailbox has paid, without disputed payments, less its current holds
-- and offers. It is negative when these are more.
CREATE FUNCTION trust_of(mailboxes text[]) RETURNS TABLE (of_mailbox text, trust numeric) LANGUAGE plpgsql STABLE
  -- every booking calls it, and planning it costs more than running it
  SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  WITH accounts AS (SELECT u._id, u.mailbox FROM users u WHERE u.mailbox = ANY (mailboxes)),
  sums AS (
    SELECT a.mailbox, o.total_cents::bigint - o.refunded_cents AS cents
      FROM unnest(mailboxes) a (mailbox) JOIN orders o ON o.payer = mailbox_key(a.mailbox)
      WHERE o.status IN ('paid', 'shipped') AND NOT EXISTS (SELECT FROM audit_log l WHERE l.order_id = o._id AND l.action = 'payment disputed')
    UNION ALL SELECT a.mailbox, -o.total_cents
      FROM accounts a JOIN orders o ON o.user_id = a._id WHERE o.hold_expires_at > now()
    UNION ALL SELECT a.mailbox, -q.quantity::bigint * p.price_cents
      FROM accounts a JOIN queue_places q ON q.user_id = a._id JOIN parts p ON p._id = q.part_id
      WHERE q.offered_at IS NOT NULL)
  SELECT m, coalesce(sum(s.cents), 0) FROM unnest(mailboxes) m LEFT JOIN sums s ON s.mailbox = m GROUP BY m;
END $$;

-- Of these mailboxes, which have a hold or an offer, those that never paid or paid less than they
-- hold. Trust costs more to compute, so only those that paid are asked for it, all at once.
CREATE FUNCTION uncovered(mailboxes text[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  WITH each AS MATERIALIZED (SELECT m, has_paid(m) AS has_paid FROM unnest(mailboxes) m)
  SELECT m FROM each WHERE NOT has_paid
  UNION ALL SELECT t.of_mailbox FROM trust_of(ARRAY(SELECT m FROM each WHERE has_paid)) t WHERE t.trust < 0
$$;

-- An account counts for the first mailbox that it verified. Otherwise, an account that changes its
-- address would leave its holds behind, and the mailbox's next account would start without any.
CREATE FUNCTION note_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.mailbox := CASE
    WHEN NEW.deleted_at IS NOT NULL THEN NEW._id::text
    WHEN TG_OP = 'UPDATE' AND OLD.mailbox <> OLD._id::text THEN OLD.mailbox
    WHEN NEW.email_verified THEN mailbox_of(NEW.email)
    ELSE NEW._id::text END;
  RETURN NEW;
END $$;

CREATE TRIGGER users_note_mailbox BEFORE INSERT OR UPDATE OF mailbox, email, email_verified, deleted_at ON users
  FOR EACH ROW EXECUTE FUNCTION note_mailbox();

-- What an account paid before it verified an address counts for the address's mailbox. What it
-- left unpaid does not: a stranger may have signed up with the address before its owner took the
-- account over.
CREATE FUNCTION follow_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET payer = mailbox_key(NEW.mailbox) WHERE user_id = NEW._id AND payer = mailbox_key(OLD.mailbox);
  RETURN NULL;
END $$;

CREATE TRIGGER users_follow_mailbox AFTER UPDATE OF email, email_verified ON users
  FOR EACH ROW WHEN (OLD.mailbox = OLD._id::text AND NEW.mailbox <> OLD.mailbox) EXECUTE FUNCTION follow_mailbox();

-- Orders, reviews and tickets get their user's new address, whichever way it changes; a ticket that
-- has forgotten who asked stays so.
CREATE FUNCTION follow_user_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  UPDATE reviews SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  UPDATE tickets SET email = NEW.email WHERE user_id = NEW._id AND email = OLD.email;
  RETURN NULL;
END $$;

CREATE TRIGGER users_follow_address AFTER UPDATE OF email ON users
  FOR EACH ROW WHEN (OLD.email <> NEW.email) EXECUTE FUNCTION follow_user_address();

-- A deleted user gets no order, review, profile, basket, build, machine part, address, note or ticket. An insert during the deletion waits here until
-- it ends.
CREATE FUNCTION refuse_deleted_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE _id = NEW.user_id AND deleted_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user %: the account is deleted', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_not_deleted';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_refuse_deleted_user BEFORE INSERT ON orders
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER profiles_refuse_deleted_user BEFORE INSERT ON profiles
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER baskets_refuse_deleted_user BEFORE INSERT ON baskets
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER builds_refuse_deleted_user BEFORE INSERT ON builds
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER machine_parts_refuse_deleted_user BEFORE INSERT ON machine_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER addresses_refuse_deleted_user BEFORE INSERT ON addresses
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER notes_refuse_deleted_user BEFORE INSERT ON notes
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER tickets_refuse_deleted_user BEFORE INSERT ON tickets
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER reviews_refuse_deleted_user BEFORE INSERT ON reviews
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();

-- Machines ----------------------------------------------------------------------------------------------------------

-- What is shipped becomes a part of its customer's machine, once, if rules of fit know its kind: the
-- shop's own kinds (contracts/machine.ts), and the owner's whose fields stand for theirs. An order
-- that cannot become one is shipped all the same.
CREATE FUNCTION add_to_machine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_parts (user_id, order_id, part_id, name, quantity)
    SELECT NEW.user_id, NEW._id, NEW.part_id, NEW.product, NEW.quantity
    FROM parts p JOIN kinds k ON k.name = p.kind
    WHERE p._id = NEW.part_id
      AND (k.slug = ANY ('{processor,motherboard,memory-module,graphics-card,storage-drive,power-supply,case,tower-cooler,liquid-cooler,fan}')
        OR EXISTS (SELECT FROM spec_fields f WHERE f.kind = k.slug AND f.fit_field IS NOT NULL))
      AND (SELECT count(*) FROM machine_parts m WHERE m.user_id = NEW.user_id) < 40
    ON CONFLICT (order_id) DO NOTHING;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'order % is not in its customer''s machine: %', NEW._id, SQLERRM;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_add_to_machine AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status IN ('paid', 'refunded') AND NEW.status = 'shipped') EXECUTE FUNCTION add_to_machine();

-- What went back for all of its money is not in the machine any more.
CREATE FUNCTION leave_machine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM machine_parts WHERE order_id = NEW._id;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_leave_machine AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status = 'shipped' AND NEW.status = 'refunded') EXECUTE FUNCTION leave_machine();

-- Reviews -----------------------------------------------------------------------------------------------------------

-- A review needs a verified address. Without a paid order, a user can write one a day, and removed
-- reviews count. The lock on the author's row makes the second of two concurrent reviews wait and
-- then count the first. The lock on the orders that can still be canceled makes a new review wait for
-- the refund of one; the refund waits for the review.
CREATE FUNCTION guard_review() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER reviews_within_rules BEFORE INSERT OR UPDATE OF review ON reviews
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION guard_review();

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

CREATE TRIGGER orders_unmark_reviews AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (NEW.status = 'refunded' AND OLD.status <> 'refunded' AND NEW.shipped_at IS NULL)
  EXECUTE FUNCTION unmark_reviews();

-- The restock queue -------------------------------------------------------------------------------------------------

-- A customer joins with a verified address, for more units than are available and at least the
-- minimum order. A place keeps its customer, part and turn; with an offer, it keeps its units as
-- well. The part is locked before its places, so that joining, leaving and offering run one after
-- the other. An offer may be smaller than requested; the place then records the requested quantity.
-- With an offer, a place no longer needs its networks.
CREATE FUNCTION guard_queue_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW._id, NEW.user_id, NEW.part_id, NEW.turn) IS DISTINCT FROM (OLD._id, OLD.user_id, OLD.part_id, OLD.turn)
      OR (OLD.offered_at IS NOT NULL
        AND (NEW.quantity, NEW.wanted_quantity, NEW.offered_at)
          IS DISTINCT FROM (OLD.quantity, OLD.wanted_quantity, OLD.offered_at)) THEN
      RAISE EXCEPTION 'place %: whose it is, and what was offered, is frozen', OLD._id
        USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.offered_at IS NULL AND NEW.offered_at IS NOT NULL THEN
      NEW.wanted_quantity := CASE WHEN NEW.quantity < OLD.quantity THEN OLD.quantity END;
      IF NEW.quantity > OLD.quantity THEN
        RAISE EXCEPTION 'place %: it waits for fewer units', OLD._id USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END IF;
    IF NEW.quantity = OLD.quantity THEN
      RETURN NEW;
    END IF;
  ELSIF NEW.offered_at IS NOT NULL THEN
    RAISE EXCEPTION 'a place begins without an offer' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM FROM users WHERE _id = NEW.user_id AND email_verified AND disabled_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user %: the queue needs a verified address', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_places_verified';
  END IF;
  PERFORM FROM parts WHERE _id = NEW.part_id AND deleted_at IS NULL AND state = 'on sale'
    AND minimum_order_quantity <= NEW.quantity AND on_hand - reserved < NEW.quantity FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'part %: there is no waiting for % units', NEW.part_id, NEW.quantity
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_places_sold_out';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER queue_places_guard BEFORE INSERT OR UPDATE ON queue_places
  FOR EACH ROW EXECUTE FUNCTION guard_queue_place();

-- An offer sets its units aside in the ledger. Deleting the place returns them, whatever the cause.
CREATE FUNCTION set_offer_aside() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO stock_movements (part_id, place_id, type, reserved_delta)
      VALUES (NEW.part_id, NEW._id, 'offer', NEW.quantity);
  ELSE
    INSERT INTO stock_movements (part_id, place_id, type, reserved_delta, reason)
      VALUES (OLD.part_id, OLD._id, 'withdraw', -OLD.quantity,
        CASE WHEN OLD.offer_ends_at <= now() THEN 'offer expired' END);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER queue_places_offered AFTER UPDATE OF offered_at ON queue_places
  FOR EACH ROW WHEN (OLD.offered_at IS NULL AND NEW.offered_at IS NOT NULL) EXECUTE FUNCTION set_offer_aside();
CREATE TRIGGER queue_places_ended AFTER DELETE ON queue_places
  FOR EACH ROW WHEN (OLD.offered_at IS NOT NULL) EXECUTE FUNCTION set_offer_aside();

-- The places of a part in the order in which they are served, those with an offer first, with the
-- units that each is or would be offered: the requested units as far as the mailbox's trust covers
-- them, but at least one minimum order. A place is covered if the trust covers these units.
-- A mailbox is behind all others and gets no offer while it pauses after giving up the part. The
-- same applies to a mailbox that is not covered and has a hold or an offer of the part, or let such
-- an offer go within three days. Just before those come crowded places: not covered, and on a
-- network with more than three mailboxes without cover that wait for the part, have an offer, or
-- hold it. With `only_payers`, it reads only the places of mailboxes that once paid, which are few:
-- for them all but the position is the same.
CREATE FUNCTION queue_of(of_part uuid, only_payers boolean DEFAULT false) RETURNS TABLE (
  place_id uuid, of_mailbox text, is_offered boolean, is_covered boolean, is_behind boolean, is_crowded boolean,
  units integer, "position" integer
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  WITH part AS (SELECT price_cents, minimum_order_quantity AS smallest FROM parts WHERE _id = of_part),
  places AS (
    SELECT q._id, q.turn, q.quantity, q.networks, q.offered_at IS NOT NULL AS is_offered, u.mailbox
    FROM queue_places q JOIN users u ON u._id = q.user_id WHERE q.part_id = of_part
      AND (NOT only_payers OR EXISTS (SELECT FROM orders o WHERE o.payer = mailbox_key(u.mailbox)))),
  accounts AS (SELECT DISTINCT u._id, u.mailbox FROM places p JOIN users u ON u.mailbox = p.mailbox),
  trusts AS (SELECT t.* FROM trust_of(ARRAY(SELECT DISTINCT p.mailbox FROM places p)) t),
  holders AS (
    SELECT a.mailbox FROM accounts a JOIN orders o ON o.user_id = a._id AND o.hold_limit_at > now()
      AND o.part_id = of_part AND o.hold_expires_at IS NOT NULL
    UNION SELECT p.mailbox FROM places p WHERE p.is_offered),
  given AS (
    SELECT a.mailbox, a.pause_until, a.cause FROM abandoned_holds a WHERE a.part_id = of_part
      AND (a.pause_until > now() OR a.cause LIKE 'offer %' AND a.created_at > now() - interval '3 days')),
  wishes AS (
    SELECT p.*, t.trust, CASE WHEN p.is_offered THEN p.quantity
      ELSE least(p.quantity, greatest(part.smallest, floor(t.trust / part.price_cents)))::integer END AS units
    FROM part, places p JOIN trusts t ON t.of_mailbox = p.mailbox),
  standing AS (
    SELECT w.*, w.is_offered OR w.trust >= w.units::numeric * part.price_cents AS is_covered,
      mailbox_key(w.mailbox) IN (SELECT g.mailbox FROM given g WHERE g.pause_until > now()) AS pauses,
      mailbox_key(w.mailbox) IN (SELECT g.mailbox FROM given g WHERE g.cause LIKE 'offer %') AS let_go,
      w.mailbox IN (SELECT h.mailbox FROM holders h) AS is_holder
    FROM part, wishes w),
  -- trust is less what is offered
  takers AS (
    SELECT s.mailbox, s.networks FROM standing s
      WHERE CASE WHEN s.is_offered THEN s.trust < 0 ELSE NOT s.is_covered END
    UNION ALL SELECT u.mailbox, o.networks FROM orders o JOIN users u ON u._id = o.user_id
      WHERE o.part_id = of_part AND o.hold_expires_at > now() AND u.mailbox IN (SELECT uncovered(ARRAY(
        SELECT DISTINCT v.mailbox FROM orders p JOIN users v ON v._id = p.user_id
        WHERE p.part_id = of_part AND p.hold_expires_at > now())))),
  crowded AS MATERIALIZED (
    SELECT network FROM takers t, unnest(t.networks) network GROUP BY network HAVING count(DISTINCT t.mailbox) > 3),
  -- a join, which PostgreSQL hashes: a crowd may have thousands of networks
  crowd AS MATERIALIZED (SELECT DISTINCT s._id FROM standing s, unnest(s.networks) n (network) JOIN crowded USING (network)),
  ranked AS (
    SELECT s.*, NOT s.is_offered AND (s.pauses OR NOT s.is_covered AND (s.is_holder OR s.let_go)) AS is_behind,
      NOT s.is_covered AND c._id IS NOT NULL AS is_crowded
    FROM standing s LEFT JOIN crowd c ON c._id = s._id)
  SELECT r._id, r.mailbox, r.is_offered, r.is_covered, r.is_behind, r.is_crowded, r.units,
    (row_number() OVER (ORDER BY NOT r.is_offered, r.is_behind, r.is_crowded, r.turn))::integer
  FROM ranked r;
END $$;

-- Whether a mailbox may have one more offer of this cost in cents. Trust covers any number of
-- offers; without cover, a mailbox has at most three at a time, each of one minimum order. After
-- three unpaid holds or offers within a day, it has at most one. Takes the lock of bookings, so
-- that both do not use the same trust, but does not wait for it, because its owner may wait for
-- this part. The job makes the offers skipped for that reason.
CREATE FUNCTION may_be_offered(of_mailbox text, cost numeric, is_smallest boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  is_covered boolean;
  most integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended(of_mailbox, 0)) THEN
    RETURN false;
  END IF;
  is_covered := cost <= (SELECT t.trust FROM trust_of(ARRAY[of_mailbox]) t);
  IF NOT (is_covered OR is_smallest) THEN
    RETURN false;
  END IF;
  most := CASE WHEN abandoned_lately(of_mailbox) >= 3 THEN 1 WHEN NOT is_covered THEN 3 END;
  RETURN most IS NULL OR most > (SELECT count(*) FROM users u JOIN queue_places q ON q.user_id = u._id
    WHERE u.mailbox = of_mailbox AND q.offered_at IS NOT NULL);
END $$;

-- Offers available units of a part, in the order of its queue, to places whose units are all
-- available. Other units stay on open sale. Crowded places leave half of the part on open sale,
-- too.
CREATE FUNCTION offer_units(of_part uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free integer;
  smallest integer;
  price_each numeric;
  half integer;
  place record;
  served text[] := '{}';
BEGIN
  SELECT on_hand - reserved, minimum_order_quantity, price_cents, (on_hand - to_ship) / 2 INTO free, smallest, price_each, half FROM parts
    WHERE _id = of_part AND deleted_at IS NULL AND state = 'on sale' FOR NO KEY UPDATE;
  IF NOT FOUND OR free < smallest
    OR NOT EXISTS (SELECT FROM queue_places WHERE part_id = of_part AND offered_at IS NULL) THEN
    RETURN;
  END IF;
  FOR place IN SELECT * FROM queue_of(of_part) WHERE NOT (is_offered OR is_behind) ORDER BY "position"
  LOOP
    EXIT WHEN free < smallest;
    CONTINUE WHEN place.units NOT BETWEEN smallest AND free OR place.of_mailbox = ANY (served);
    CONTINUE WHEN place.is_crowded AND free - place.units < half;
    CONTINUE WHEN NOT may_be_offered(place.of_mailbox, place.units * price_each, place.units = smallest);
    UPDATE queue_places SET offered_at = now(), quantity = place.units
      WHERE _id = place.place_id AND offered_at IS NULL AND quantity >= place.units;
    IF FOUND THEN
      free := free - place.units;
      served := served || place.of_mailbox;
    END IF;
  END LOOP;
END $$;

-- At commit, offers the units that the transaction freed. The transaction still has the part's
-- lock, so no booking takes them first. The argument is the name of the column with the part.
CREATE FUNCTION offer_freed_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM offer_units((to_jsonb(NEW) ->> TG_ARGV[0])::uuid);
  RETURN NULL;
END $$;

-- Bookings free no units, so they do not run this trigger.
CREATE CONSTRAINT TRIGGER stock_movements_offer AFTER INSERT ON stock_movements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.on_hand_delta > NEW.reserved_delta)
  EXECUTE FUNCTION offer_freed_units('part_id');
CREATE CONSTRAINT TRIGGER parts_offer AFTER UPDATE OF minimum_order_quantity, deleted_at, state ON parts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.minimum_order_quantity < OLD.minimum_order_quantity OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL)
    OR (OLD.state = 'draft' AND NEW.state = 'on sale'))
  EXECUTE FUNCTION offer_freed_units('_id');

-- A user who is disabled or deleted, or whose address is no longer verified, leaves every queue.
CREATE FUNCTION end_places_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM parts WHERE _id IN (SELECT part_id FROM queue_places WHERE user_id = NEW._id)
    ORDER BY _id FOR NO KEY UPDATE;
  DELETE FROM queue_places WHERE user_id = NEW._id;
  RETURN NULL;
END $$;

CREATE TRIGGER users_end_places AFTER UPDATE OF email_verified, disabled_at ON users
  FOR EACH ROW WHEN (OLD.email_verified AND OLD.disabled_at IS NULL
    AND (NOT NEW.email_verified OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION end_places_of_user();

-- At commit, checks that a review of a part names a paid order of its author with that part. A
-- later refund keeps the review.
CREATE FUNCTION check_review_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM orders WHERE _id = NEW.order_id AND part_id = NEW.part_id AND user_id = NEW.user_id
    AND status IN ('paid', 'shipped') FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'review %: its author did not buy the part', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reviews_of_purchase';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER reviews_check_purchase AFTER INSERT OR UPDATE OF part_id, order_id, user_id ON reviews
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.part_id IS NOT NULL)
  EXECUTE FUNCTION check_review_purchase();

-- Updates the count and the sum of the stars of a part's visible reviews.
CREATE FUNCTION rate_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.hidden_at IS NULL AND OLD.removed_at IS NULL THEN
    UPDATE parts SET rating_count = rating_count - 1, rating_sum = rating_sum - OLD.ratings WHERE _id = OLD.part_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.hidden_at IS NULL AND NEW.removed_at IS NULL THEN
    UPDATE parts SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.ratings WHERE _id = NEW.part_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER reviews_rate_part AFTER INSERT OR UPDATE OF part_id, ratings, hidden_at, removed_at OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION rate_part();

-- What visitors see -------------------------------------------------------------------------------------------------

-- A change that visitors can see adds a row that all processes read; it invalidates the cached
-- responses of its topic, the trigger's argument. NOTIFY would not work: a pooler delivers no
-- notifications. A change of only a part's figures (stock, sales, stars) also names the part, so
-- pages without it stay cached.
CREATE FUNCTION count_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_NARGS = 2 THEN
    INSERT INTO catalogue_changes (topic, part_id) VALUES (TG_ARGV[0], NEW._id);
  -- a version tells commits apart: a transaction that changes every part counts once
  ELSIF coalesce(current_setting('ferrite.changed_' || TG_ARGV[0], true), '') = '' THEN
    INSERT INTO catalogue_changes (topic) VALUES (TG_ARGV[0]);
    PERFORM set_config('ferrite.changed_' || TG_ARGV[0], 'yes', true);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER parts_shown_insert AFTER INSERT ON parts
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND NEW.state = 'on sale') EXECUTE FUNCTION count_catalogue_change('parts');
CREATE TRIGGER parts_shown_delete AFTER DELETE ON parts
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND OLD.state = 'on sale') EXECUTE FUNCTION count_catalogue_change('parts');
CREATE TRIGGER parts_shown_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    ((OLD.deleted_at IS NULL AND OLD.state = 'on sale') OR (NEW.deleted_at IS NULL AND NEW.state = 'on sale'))
    AND (OLD.changed_at, OLD.position, OLD.version) IS DISTINCT FROM (NEW.changed_at, NEW.position, NEW.version)
  ) EXECUTE FUNCTION count_catalogue_change('parts');
-- A sale of held units does not count, and neither does their shipping: visitors see the available
-- units, which stay the same.
CREATE TRIGGER parts_figures_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    NEW.deleted_at IS NULL AND NEW.state = 'on sale'
    AND (OLD.changed_at, OLD.position, OLD.version) IS NOT DISTINCT FROM (NEW.changed_at, NEW.position, NEW.version)
    AND OLD.* IS DISTINCT FROM NEW.*
    AND ((OLD.on_hand, OLD.to_ship) = (NEW.on_hand, NEW.to_ship) OR OLD.on_hand - OLD.reserved <> NEW.on_hand - NEW.reserved)
  ) EXECUTE FUNCTION count_catalogue_change('parts', 'figures');
-- Only the part's own page shows how many units are held.
CREATE TRIGGER parts_page_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    OLD.reserved - OLD.to_ship <> NEW.reserved - NEW.to_ship AND OLD.on_hand - OLD.reserved = NEW.on_hand - NEW.reserved
  ) EXECUTE FUNCTION count_catalogue_change('part_page', 'figures');

-- Only the part's own page shows its reviews; their text changes no figure of the part.
CREATE FUNCTION count_part_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_changes (topic, part_id) VALUES ('part_page', NEW.part_id);
  RETURN NULL;
END $$;

CREATE TRIGGER reviews_of_part_shown AFTER INSERT OR UPDATE ON reviews
  FOR EACH ROW WHEN (NEW.part_id IS NOT NULL) EXECUTE FUNCTION count_part_review();

CREATE TRIGGER reviews_shown_insert AFTER INSERT ON reviews
  FOR EACH ROW WHEN (NEW.part_id IS NULL AND NEW.hidden_at IS NULL AND NEW.removed_at IS NULL)
  EXECUTE FUNCTION count_catalogue_change('reviews');
CREATE TRIGGER reviews_shown_delete AFTER DELETE ON reviews
  FOR EACH ROW WHEN (OLD.part_id IS NULL AND OLD.hidden_at IS NULL AND OLD.removed_at IS NULL)
  EXECUTE FUNCTION count_catalogue_change('reviews');
CREATE TRIGGER reviews_shown_update AFTER UPDATE ON reviews
  FOR EACH ROW WHEN (
    NEW.part_id IS NULL AND OLD.* IS DISTINCT FROM NEW.*
    AND ((OLD.hidden_at IS NULL AND OLD.removed_at IS NULL) OR (NEW.hidden_at IS NULL AND NEW.removed_at IS NULL))
  ) EXECUTE FUNCTION count_catalogue_change('reviews');

-- A part's page shows what is expected of it. Receiving changes its stock, which counts already.
CREATE FUNCTION count_expected_goods() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_changes (topic, part_id) VALUES ('part_page', NEW.part_id);
  RETURN NULL;
END $$;

CREATE TRIGGER delivery_lines_shown AFTER INSERT OR UPDATE OF canceled ON delivery_lines
  FOR EACH ROW EXECUTE FUNCTION count_expected_goods();

-- Pages show names and values of kinds (labels, filters, cards), which can change without their
-- parts.
CREATE TRIGGER kinds_shown AFTER INSERT OR UPDATE OR DELETE ON kinds
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('parts');
CREATE TRIGGER spec_fields_shown AFTER INSERT OR UPDATE OR DELETE ON spec_fields
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('parts');

-- Every page names the shop.
CREATE TRIGGER shop_texts_shown AFTER INSERT OR UPDATE OR DELETE ON shop_texts
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
CREATE TRIGGER home_slides_shown AFTER INSERT OR UPDATE OR DELETE ON home_slides
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
CREATE TRIGGER own_pages_shown AFTER INSERT OR UPDATE OR DELETE ON own_pages
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
CREATE TRIGGER shop_settings_shown AFTER INSERT OR UPDATE OR DELETE ON shop_settings
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');
CREATE TRIGGER shipping_methods_shown AFTER INSERT OR UPDATE OR DELETE ON shipping_methods
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('settings');

-- Days of the shop --------------------------------------------------------------------------------------------------

-- The time zone of the shop, as the owner saved it.
CREATE FUNCTION shop_zone() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT settings->'shop'->>'timeZone' FROM shop_settings), 'UTC')
$$;

CREATE FUNCTION shop_today() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (now() AT TIME ZONE shop_zone())::date
$$;

-- When a day begins in the shop; a day may have 23 or 25 hours.
CREATE FUNCTION shop_midnight(day date) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT day::timestamp AT TIME ZONE shop_zone()
$$;

-- Kinds and specifications ------------------------------------------------------------------------------------------

-- Lower case, without accents and trade marks; letters that are not a base letter with an accent
-- are spelled out.
CREATE FUNCTION folded(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(replace(translate(
    lower(regexp_replace(normalize(translate(value, '™®©', ''), NFKD), '[\u0300-\u036f]', '', 'g')),
    'øłđı', 'oldi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;

-- The tokens of a text: its runs of letters and digits.
CREATE FUNCTION runs_of(value text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(left(run[1], 100) ORDER BY place), '{}')
  FROM regexp_matches(folded(value), '[^\s!-/:-@\[-`{-~¡-¿×÷–—‘’“”„…•′″]+', 'g') WITH ORDINALITY runs(run, place)
$$;

CREATE FUNCTION slug_of(kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(nullif(array_to_string(runs_of(kind), '-'), ''), 'kind-' || left(md5(kind), 8))
$$;

-- Whether a value is valid for a field.
CREATE FUNCTION spec_fits(field spec_fields, value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE field.type || ' ' || jsonb_typeof(value)
    WHEN 'one string' THEN CASE WHEN field.is_open THEN value #>> '{}' ~ '^\S(.{0,58}\S)?$'
      ELSE field.options @> jsonb_build_array(jsonb_build_object('value', value)) END
    WHEN 'many array' THEN jsonb_array_length(value) BETWEEN 1 AND 50
      AND jsonb_array_length(value) = (SELECT count(DISTINCT each) FROM jsonb_array_elements(value) each
        WHERE jsonb_typeof(each) = 'string' AND CASE WHEN field.is_open THEN each #>> '{}' ~ '^\S(.{0,58}\S)?$'
          ELSE field.options @> jsonb_build_array(jsonb_build_object('value', each)) END)
    WHEN 'number number' THEN (value #>> '{}')::numeric BETWEEN field.min::numeric AND field.max::numeric
    WHEN 'yes boolean' THEN true
    ELSE false END
$$;

-- Sets the kind's name to the spelling of `kinds`, and creates a kind with its first part. Refuses
-- specs that the kind has no fields for; the lock makes a concurrent edit of these fields wait for
-- the part, and then check it. A part without a picture of its own shows its kind's drawing, which
-- replaces another kind's drawing and the neutral one. The first of the other pictures replaces a
-- drawing. Duplicate pictures are removed.
CREATE FUNCTION describe_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known kinds%ROWTYPE;
  wrong text;
BEGIN
  SELECT * INTO known FROM kinds WHERE name = NEW.kind OR slug_of(NEW.kind) IN (slug, slug_of(name))
    ORDER BY name <> NEW.kind, slug_of(name) <> slug_of(NEW.kind) LIMIT 1 FOR KEY SHARE;
  IF NOT FOUND THEN
    INSERT INTO kinds (name, slug) VALUES (NEW.kind, slug_of(NEW.kind)) ON CONFLICT DO NOTHING;
    SELECT * INTO known FROM kinds WHERE slug = slug_of(NEW.kind) FOR KEY SHARE;
  END IF;
  NEW.kind := known.name;
  SELECT s.key INTO wrong FROM jsonb_each(NEW.specs) s
    LEFT JOIN spec_fields f ON f.kind = known.slug AND f.key = s.key
    WHERE spec_fits(f, s.value) IS NOT TRUE LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'part %: %: % is nothing that a % has', NEW._id, wrong, NEW.specs -> wrong, known.name
      USING ERRCODE = 'check_violation', CONSTRAINT = 'parts_specs_of_kind';
  END IF;
  IF NEW.image LIKE '/images/dddddddddddddddddddd%' AND (NEW.image = '/images/dddddddddddddddddddd0000-960.webp'
      OR EXISTS (SELECT FROM kinds WHERE drawing = NEW.image)) THEN
    NEW.image := known.drawing;
  END IF;
  IF NEW.more_pictures <> '[]' THEN
    IF NEW.image LIKE '/images/dddddddddddddddddddd%'
      AND NEW.more_pictures -> 0 ->> 'image' NOT LIKE '/images/dddddddddddddddddddd%' THEN
      NEW.image := NEW.more_pictures -> 0 ->> 'image';
      NEW.image_alt := NEW.more_pictures -> 0 ->> 'alt';
    END IF;
    SELECT coalesce(jsonb_agg(picture ORDER BY place), '[]') INTO NEW.more_pictures FROM (
      SELECT DISTINCT ON (picture ->> 'image') picture, place
      FROM jsonb_array_elements(NEW.more_pictures) WITH ORDINALITY more(picture, place)
      WHERE picture ->> 'image' <> NEW.image ORDER BY picture ->> 'image', place) once;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER parts_describe BEFORE INSERT OR UPDATE OF kind, specs, image, more_pictures ON parts
  FOR EACH ROW EXECUTE FUNCTION describe_part();

-- Reindexes the parts of an edited kind, and replaces its former drawing with the new one.
CREATE FUNCTION describe_parts_of_kind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE parts SET specs = specs, image = CASE image WHEN OLD.drawing THEN NEW.drawing ELSE image END
    WHERE kind = NEW.name;
  RETURN NULL;
END $$;

CREATE TRIGGER kinds_describe_parts AFTER UPDATE ON kinds FOR EACH ROW
  WHEN ((OLD.slug, OLD.other_names, OLD.drawing) IS DISTINCT FROM (NEW.slug, NEW.other_names, NEW.drawing))
  EXECUTE FUNCTION describe_parts_of_kind();

-- Checks and reindexes the parts that have a value for an edited field, so that no edit makes a
-- part invalid. A value added to a closed choice affects no part.
CREATE FUNCTION describe_parts_of_field() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others text[] := '{options,position,promoted,better,group,fit_field}';
BEGIN
  PERFORM FROM kinds WHERE slug = OLD.kind FOR UPDATE;
  IF TG_OP = 'DELETE' OR to_jsonb(OLD) - others <> to_jsonb(NEW) - others
      OR (OLD.is_open AND OLD.options <> NEW.options)
      OR EXISTS (SELECT FROM jsonb_array_elements(OLD.options) had
        WHERE had NOT IN (SELECT jsonb_array_elements(NEW.options))) THEN
    UPDATE parts SET specs = specs WHERE kind = (SELECT name FROM kinds WHERE slug = OLD.kind) AND specs ? OLD.key;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER spec_fields_describe_parts
  AFTER UPDATE OF kind, key, label, type, unit, min, max, options, is_open, is_facet, is_searched, is_card OR DELETE ON spec_fields
  FOR EACH ROW EXECUTE FUNCTION describe_parts_of_field();

-- The shop's own rules read the built-in fields, so these can be renamed but not removed.
CREATE TRIGGER spec_fields_keep_builtin BEFORE DELETE ON spec_fields
  FOR EACH ROW WHEN (OLD.is_builtin) EXECUTE FUNCTION refuse_change();

-- Dates a change of a part's page, for the sitemap. Bookings change none of these columns.
CREATE FUNCTION date_part_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := now();
  RETURN NEW;
END $$;

CREATE TRIGGER parts_date_change
  BEFORE UPDATE OF name, kind, brand, sku, mpn, gtin, specs, image, image_alt, more_pictures, description,
    minimum_order_quantity, price_cents, state, deleted_at
  ON parts FOR EACH ROW EXECUTE FUNCTION date_part_change();

-- The index of parts ------------------------------------------------------------------------------------------------

-- Builds a part's row of part_index in these steps:
--
-- texts      every text with words, as a segment whose first letter is its mode:
--              n  name, part number     k  kind     o  another name of the kind
--              v  value                 u  number with its unit, or another spelling of a value
--              f  value that it fits    g  number or spelling of what it fits, such as a case's
--                                          largest card
--            Numbers on the card also appear without their unit. Omits another name of the kind
--            when it is another value of a choice that the part has: 'ssd' finds no hard drive.
-- segments   all texts, folded and cut into tokens in one call, because a call for each would cost
--            more than everything else
-- words      n, k, v, f: each token, neighbours joined (rtx4070 finds 'RTX 4070'), and all joined
--            o, u, g: only all joined, so that 'cpu cooler' does not make a cooler a cpu
--            n, v: also the letters of a model number (hdr finds 'HDR400', x3d finds '9800X3D')
-- marked     what the part fits, again with a mark ('-am5') that no word of a description has
--
-- Weights: A name and part numbers, B kind, C specification, D what the part fits and the words of
-- the description.
CREATE FUNCTION part_index_of(part parts) RETURNS part_index LANGUAGE sql STABLE AS $$
  WITH kind AS (SELECT * FROM kinds WHERE name = part.kind),
  stated AS (
    SELECT f.key, f.label, f.type, f.unit, f.options, f.is_facet, f.is_searched, f.is_card,
      CASE f.type WHEN 'yes' THEN CASE value WHEN 'true' THEN 'yes' ELSE 'no' END ELSE value END AS value
    FROM kind k JOIN spec_fields f ON f.kind = k.slug AND part.specs ? f.key, jsonb_array_elements_text(
      CASE jsonb_typeof(part.specs -> f.key) WHEN 'array' THEN part.specs -> f.key
        ELSE jsonb_build_array(part.specs -> f.key) END) value),
  facets AS (
    SELECT key || '=' || value AS facet FROM stated WHERE is_facet
    UNION ALL SELECT 'brand=' || part.brand WHERE part.brand <> ''),
  texts AS (
    SELECT 'n' || part.brand || ' ' || part.name AS segment
    UNION ALL SELECT 'n' || number FROM unnest(ARRAY[part.sku, part.mpn, part.gtin, ltrim(part.gtin, '0')]) number
    UNION ALL SELECT 'k' || k.name FROM kind k
    UNION ALL SELECT 'o' || other FROM kind k, unnest(k.other_names) other
      WHERE NOT EXISTS (SELECT FROM stated s
        CROSS JOIN jsonb_array_elements(s.options) option
        WHERE s.type = 'one' AND option ->> 'value' <> s.value
          AND (lower(option ->> 'value') = lower(other) OR option -> 'also' ? lower(other)))
    UNION ALL SELECT CASE
        WHEN type = 'number' THEN CASE WHEN is_searched THEN 'u' ELSE 'g' END
          || value || CASE unit WHEN '' THEN label ELSE unit END
        ELSE CASE WHEN is_searched THEN 'v' ELSE 'f' END || CASE type WHEN 'yes' THEN label ELSE value END END
      FROM stated WHERE type <> 'yes' OR value = 'yes'
    UNION ALL SELECT 'u' || value FROM stated WHERE is_searched AND type = 'number' AND unit <> '' AND is_card
    UNION ALL SELECT CASE WHEN is_searched THEN 'u' ELSE 'g' END || jsonb_array_elements_text(jsonb_path_query_array(options,
        '$[*] ? (@.value == $value).also[*]', jsonb_build_object('value', value)))
      FROM stated WHERE type IN ('one', 'many')),
  segments AS (
    SELECT left(segment, 1) AS mode, ARRAY(SELECT left(run[1], 100)
      FROM regexp_matches(substr(segment, 2), '[^\s!-/:-@\[-`{-~¡-¿×÷–—‘’“”„…•′″]+', 'g') run) AS runs
    FROM unnest(string_to_array(folded((SELECT string_agg(segment, '¶') FROM texts)), '¶')) segment),
  words AS (
    SELECT mode, unnest(runs) AS word FROM segments WHERE mode IN ('n', 'k', 'v', 'f')
    UNION ALL SELECT mode, (regexp_match(run, '^(?:([[:alpha:]]{3,})[0-9]+|[0-9]{3,}([[:alpha:]].+))$'))[place]
      FROM segments, unnest(runs) run, generate_series(1, 2) place WHERE mode IN ('n', 'v')
    UNION ALL SELECT mode, runs[i] || runs[i + 1] FROM segments, generate_series(1, cardinality(runs) - 1) i
      WHERE mode IN ('n', 'k', 'v', 'f')
    UNION ALL SELECT mode, left(array_to_string(runs, ''), 200) FROM segments
    UNION ALL SELECT 'k', '@' || translate(slug, '''\', '') FROM kind),
  marked AS (SELECT * FROM words UNION ALL SELECT mode, '-' || word FROM words WHERE mode IN ('f', 'g') AND word <> '')
  SELECT part._id, part.deleted_at IS NULL AND part.state = 'on sale', k.slug, part.price_cents, part.sold_90,
    coalesce((SELECT array_agg(facet ORDER BY facet COLLATE "C") FROM facets), '{}'),
    (SELECT string_agg('''' || word || CASE mode WHEN 'n' THEN ''':1A' WHEN 'k' THEN ''':2B' WHEN 'o' THEN ''':2B'
        WHEN 'f' THEN ''':4' WHEN 'g' THEN ''':4' ELSE ''':3C' END, ' ') FROM marked WHERE word <> '')::tsvector
      || setweight(to_tsvector('simple', folded(part.description)), 'D'),
    lower(regexp_replace(concat(E'\n ', part.name, E'\n ', part.kind, E'\n ', part.description, E'\n ', part._id,
      E'\n ', part.brand, E'\n ', part.sku, E'\n ', part.mpn, E'\n ', part.gtin), '([-._@+/,:&()''])', '\1 ', 'g'))
  FROM kind k
$$;

CREATE FUNCTION write_part_index(part parts) RETURNS void LANGUAGE sql AS $$
  INSERT INTO part_index AS had SELECT made.* FROM part_index_of(part) made
    ON CONFLICT (part_id) DO UPDATE SET (is_on_sale, kind, price_cents, sold_90, facets, words, search) =
      (excluded.is_on_sale, excluded.kind, excluded.price_cents, excluded.sold_90, excluded.facets, excluded.words, excluded.search)
    WHERE had.* IS DISTINCT FROM excluded.*
$$;

-- Indexing a part's words takes milliseconds, a thousand times longer than updating its figures. So
-- they are indexed only when they change, with the part or with its kind (trigger depth 2; then no
-- column of the part differs). Bulk changes (`ferrite.index_later`) leave this to index_parts(),
-- which runs after they release the locks that bookings wait for.
CREATE FUNCTION index_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_new_words CONSTANT boolean := TG_OP = 'INSERT' OR pg_trigger_depth() > 1
    OR (NEW.name, NEW.kind, NEW.brand, NEW.sku, NEW.mpn, NEW.gtin, NEW.description, NEW.specs)
      IS DISTINCT FROM (OLD.name, OLD.kind, OLD.brand, OLD.sku, OLD.mpn, OLD.gtin, OLD.description, OLD.specs);
BEGIN
  IF has_new_words AND coalesce(current_setting('ferrite.index_later', true), '') <> 'on' THEN
    PERFORM write_part_index(NEW);
    RETURN NULL;
  END IF;
  UPDATE part_index SET (is_on_sale, price_cents, sold_90) =
    ROW (NEW.deleted_at IS NULL AND NEW.state = 'on sale', NEW.price_cents, NEW.sold_90) WHERE part_id = NEW._id;
  IF has_new_words THEN
    INSERT INTO parts_to_index (part_id) VALUES (NEW._id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

-- Bookings change none of these columns, so they do not update the index.
CREATE TRIGGER parts_index
  AFTER INSERT OR UPDATE OF name, kind, brand, sku, mpn, gtin, description, specs, price_cents, state, deleted_at, sold_90 ON parts
  FOR EACH ROW EXECUTE FUNCTION index_part();

-- Indexes at most this number of waiting parts, and locks each against concurrent changes.
-- Concurrent calls take turns. Pages show the new index when no part is waiting any longer. Returns
-- the number of indexed parts.
CREATE FUNCTION index_parts(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  part parts;
  indexed integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('index of parts', 0));
  FOR part IN SELECT p.* FROM parts p WHERE p._id IN (
    SELECT part_id FROM parts_to_index ORDER BY part_id LIMIT most
  ) ORDER BY p._id FOR NO KEY UPDATE OF p LOOP
    PERFORM write_part_index(part);
    DELETE FROM parts_to_index WHERE part_id = part._id;
    indexed := indexed + 1;
  END LOOP;
  IF indexed > 0 AND NOT EXISTS (SELECT FROM parts_to_index) THEN
    INSERT INTO catalogue_changes (topic) VALUES ('parts');
  END IF;
  RETURN indexed;
END $$;

-- Tickets -----------------------------------------------------------------------------------------------------------

-- A ticket takes the ways of contracts/ticket-rules.ts; what it is about is frozen.
CREATE FUNCTION guard_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW._id, NEW.number, NEW.type, NEW.user_id, NEW.checkout_id, NEW.created_at)
    IS DISTINCT FROM (OLD._id, OLD.number, OLD.type, OLD.user_id, OLD.checkout_id, OLD.created_at) THEN
    RAISE EXCEPTION 'ticket %: what it is about is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state <> OLD.state AND NOT (CASE OLD.state
      WHEN 'asked' THEN NEW.state <> 'asked'
      WHEN 'accepted' THEN NEW.state IN ('on its way', 'received', 'settled', 'refused')
      WHEN 'on its way' THEN NEW.state IN ('received', 'settled', 'refused')
      WHEN 'received' THEN NEW.state IN ('settled', 'refused')
      ELSE NEW.state = 'asked' END) THEN
    RAISE EXCEPTION 'ticket % can not go from % to %', OLD._id, OLD.state, NEW.state
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'tickets_ways';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER tickets_guard BEFORE UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION guard_ticket();
CREATE TRIGGER tickets_never_removed BEFORE DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER tickets_never_emptied BEFORE TRUNCATE ON tickets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A line is of a paid order of the ticket's checkout. Only what came back changes.
CREATE FUNCTION guard_ticket_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW.ticket_id, NEW.order_id, NEW.quantity) IS DISTINCT FROM (OLD.ticket_id, OLD.order_id, OLD.quantity) THEN
      RAISE EXCEPTION 'ticket %: what it is about is frozen', OLD.ticket_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM orders o JOIN tickets t ON t.checkout_id = o.checkout_id
    WHERE o._id = NEW.order_id AND t._id = NEW.ticket_id AND o.transaction_id IS NOT NULL) THEN
    RAISE EXCEPTION 'ticket %: order % is not paid with its checkout', NEW.ticket_id, NEW.order_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ticket_lines_of_paid';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER ticket_lines_guard BEFORE INSERT OR UPDATE ON ticket_lines
  FOR EACH ROW EXECUTE FUNCTION guard_ticket_line();

-- Each unit of an order is taken back once: tickets that are not refused ask for no more units than
-- were booked. When a refused one opens again, its units count again.
CREATE FUNCTION check_ticket_units() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o record;
BEGIN
  FOR o IN SELECT b._id, b.quantity FROM ticket_lines own JOIN orders b ON b._id = own.order_id
    WHERE own.ticket_id = coalesce(to_jsonb(NEW) ->> 'ticket_id', to_jsonb(NEW) ->> '_id')::uuid
    ORDER BY b._id FOR NO KEY UPDATE OF b
  LOOP
    IF o.quantity < (SELECT sum(l.quantity) FROM ticket_lines l JOIN tickets t ON t._id = l.ticket_id
      WHERE l.order_id = o._id AND t.state <> 'refused' AND t.type IN ('withdrawal', 'return', 'undelivered')) THEN
      RAISE EXCEPTION 'order %: more units would come back than were booked', o._id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'ticket_lines_within_booked';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER ticket_lines_check AFTER INSERT ON ticket_lines FOR EACH ROW EXECUTE FUNCTION check_ticket_units();
CREATE TRIGGER tickets_reopened AFTER UPDATE OF state ON tickets
  FOR EACH ROW WHEN (OLD.state = 'refused' AND NEW.state = 'asked') EXECUTE FUNCTION check_ticket_units();
-- Queues a message for every webhook that subscribes to the event, in the transaction of the
-- change. The message does not name the customer.
CREATE FUNCTION tell_ticket_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE TG_OP WHEN 'INSERT' THEN 'ticket.opened' ELSE 'ticket.changed' END;
BEGIN
  INSERT INTO webhook_messages (endpoint_id, ticket_id, type, payload)
    SELECT _id, NEW._id, event, json_build_object(
      'type', event, 'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', json_build_object('_id', NEW._id, 'number', NEW.number, 'type', NEW.type, 'state', NEW.state,
        'checkoutId', NEW.checkout_id))
    FROM webhook_endpoints WHERE disabled_at IS NULL AND event = ANY (events);
  RETURN NULL;
END $$;

CREATE TRIGGER tickets_tell_opened AFTER INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION tell_ticket_webhooks();
CREATE TRIGGER tickets_tell_change AFTER UPDATE OF state ON tickets
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION tell_ticket_webhooks();
CREATE TRIGGER ticket_lines_never_removed BEFORE DELETE ON ticket_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A message never changes, but it can be emptied.
CREATE FUNCTION guard_ticket_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.text <> '' OR (NEW._id, NEW.ticket_id, NEW.author, NEW.admin_id, NEW.state, NEW.created_at)
    IS DISTINCT FROM (OLD._id, OLD.ticket_id, OLD.author, OLD.admin_id, OLD.state, OLD.created_at) THEN
    RAISE EXCEPTION 'a message never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER ticket_messages_guard BEFORE UPDATE ON ticket_messages
  FOR EACH ROW EXECUTE FUNCTION guard_ticket_message();
CREATE TRIGGER ticket_messages_never_removed BEFORE DELETE ON ticket_messages
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Mail ------------------------------------------------------------------------------------------------------------------

-- Sets a mail's mailbox, turn, urgency and quota, and drops a mail that anybody can cause when its
-- quota is used up. The quotas are separate, so that no stranger uses up what a customer needs:
-- - Mails with a link to the account (`is_account_link`), to a verified address: five an hour and
--   fifteen a day of each template.
-- - Other mails to the verified addresses of a mailbox, together: twenty an hour and sixty a day.
-- - An unverified address: five an hour of each template, ten an hour and twenty a day in total.
-- - Unverified spellings of a mailbox with a plus share four an hour and eight a day.
-- Unverified addresses get one mail about bookings a day.
-- Even with its quota used up, an address gets one link an hour of each template, because a link is
-- valid for an hour. This applies to verified addresses, addresses without a plus, and those of the
-- mailbox's first two accounts. Account mails to verified addresses go first, so that mass sign-ups
-- do not delay a customer's password reset.
CREATE FUNCTION bound_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address CONSTANT text := lower(NEW.recipient);
  mailbox CONSTANT text := mailbox_of(address);
  is_account_link CONSTANT boolean := NEW.template IN ('verify-email', 'change-email', 'reset-password');
  is_verified boolean;
  is_own boolean;
  same_hour integer;
  same_day integer;
  hour integer;
  day integer;
BEGIN
  NEW.mailbox := mailbox_key(mailbox);
  NEW.turn := greatest(now(), (SELECT max(m.turn) + interval '1 minute' FROM mail_queue m
    WHERE m.mailbox = NEW.mailbox AND m.created_at > now() - interval '1 day'));
  is_verified := EXISTS (SELECT FROM users u WHERE u.email = address AND u.email_verified);
  NEW.urgency := CASE
    WHEN NEW.template IN ('verify-email', 'change-email', 'reset-password', 'password-changed', 'address-changed')
      THEN CASE WHEN is_verified THEN 0 ELSE 2 END
    WHEN NEW.template = 'withdrawal-link' THEN CASE WHEN is_verified THEN 0 ELSE 2 END
    WHEN NEW.template IN ('order-paid', 'order-refunded', 'refund-failed', 'payment-returned', 'order-shipped',
      'ticket-opened') THEN 1
    ELSE 3 END;
  IF NOT is_account_link AND NEW.template NOT IN ('password-changed', 'address-changed', 'order-booked', 'hold-ended',
    'order-ending', 'payment-reminder', 'queue-offer', 'queue-ended', 'question-received', 'withdrawal-link',
    'second-factor') THEN
    RETURN NEW;
  END IF;
  is_own := address NOT LIKE '%+%';
  NEW.quota := mailbox_key(CASE
    -- a stranger's questions take no room from what the owner of the mailbox asks for
    WHEN NEW.template = 'question-received' THEN 'questions of ' || mailbox
    WHEN is_verified AND NOT is_account_link THEN 'account of ' || mailbox
    WHEN is_verified THEN 'address ' || address
    WHEN is_own THEN 'address ' || mailbox
    ELSE 'other spellings of ' || mailbox END);
  -- the last lock of every transaction that takes it
  PERFORM pg_advisory_xact_lock(hashtextextended('mails of ' || encode(NEW.quota, 'hex'), 0));
  SELECT count(*) FILTER (WHERE m.template = NEW.template AND m.created_at > now() - interval '1 hour'),
      count(*) FILTER (WHERE m.template = NEW.template),
      count(*) FILTER (WHERE m.created_at > now() - interval '1 hour'), count(*) INTO same_hour, same_day, hour, day
    FROM mail_queue m WHERE m.quota = NEW.quota AND m.created_at > now() - interval '1 day';
  RETURN CASE WHEN CASE
    WHEN is_verified AND is_account_link THEN same_hour < 5 AND same_day < 15
    WHEN is_verified THEN hour < 20 AND day < 60
    WHEN is_own THEN same_hour < 5 AND hour < 10 AND day < 20 AND (NEW.template <> 'order-booked' OR same_day = 0)
    ELSE hour < 4 AND day < 8 AND (NEW.template <> 'order-booked' OR same_day = 0) END
    OR is_account_link AND CASE WHEN is_verified OR is_own THEN same_hour = 0
      ELSE address IN (SELECT i.email FROM identity."user" i WHERE mailbox_of(i.email) = mailbox
          ORDER BY i.created_at, i.id LIMIT 2)
        -- a blank one went to an account that was deleted
        AND NOT EXISTS (SELECT FROM mail_queue m WHERE m.mailbox = NEW.mailbox AND m.template = NEW.template
          AND (m.recipient = NEW.recipient OR m.text = '') AND m.created_at > now() - interval '1 hour') END THEN NEW END;
END $$;

CREATE TRIGGER mail_queue_bound BEFORE INSERT ON mail_queue FOR EACH ROW EXECUTE FUNCTION bound_mails();
