-- Money is kept in cents, and the shop remembers its currency.
DROP TRIGGER parts_date_change ON parts;
--> statement-breakpoint
DROP TRIGGER parts_index ON parts;
--> statement-breakpoint
ALTER TABLE "delivery_lines" DROP CONSTRAINT "delivery_lines_cost";
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_total";
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_total_limit";
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_refunded";
--> statement-breakpoint
ALTER TABLE "parts" DROP CONSTRAINT "parts_price";
--> statement-breakpoint
ALTER TABLE "parts" DROP CONSTRAINT "parts_cost";
--> statement-breakpoint
ALTER TABLE "delivery_lines" RENAME COLUMN "cost" TO "cost_cents";
--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "price" TO "price_cents";
--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "total_price" TO "total_cents";
--> statement-breakpoint
ALTER TABLE "part_index" RENAME COLUMN "price" TO "price_cents";
--> statement-breakpoint
ALTER TABLE "parts" RENAME COLUMN "price" TO "price_cents";
--> statement-breakpoint
ALTER TABLE "parts" RENAME COLUMN "cost" TO "cost_cents";
--> statement-breakpoint
ALTER TABLE "delivery_lines" ALTER COLUMN "cost_cents" TYPE integer USING "cost_cents" * 100;
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "price_cents" TYPE integer USING "price_cents" * 100,
  ALTER COLUMN "total_cents" TYPE integer USING "total_cents" * 100;
--> statement-breakpoint
ALTER TABLE "part_index" ALTER COLUMN "price_cents" TYPE integer USING "price_cents" * 100;
--> statement-breakpoint
ALTER TABLE "parts" ALTER COLUMN "price_cents" TYPE integer USING "price_cents" * 100,
  ALTER COLUMN "cost_cents" TYPE integer USING "cost_cents" * 100;
--> statement-breakpoint
ALTER TABLE "shop" ADD COLUMN "currency" text DEFAULT 'USD' NOT NULL;
--> statement-breakpoint
ALTER TABLE "delivery_lines" ADD CONSTRAINT "delivery_lines_cost" CHECK ("delivery_lines"."cost_cents" >= 0);
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_total" CHECK ("orders"."total_cents" = "orders"."quantity"::bigint * "orders"."price_cents");
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_total_limit" CHECK ("orders"."total_cents" between 1 and 99999900);
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunded" CHECK (case when "orders"."status" = 'refunded' then "orders"."refunded_cents" = "orders"."total_cents"
        when "orders"."status" in ('paid', 'shipped') then "orders"."refunded_cents" >= 0 and "orders"."refunded_cents" < "orders"."total_cents"
        else "orders"."refunded_cents" = 0 end);
--> statement-breakpoint
ALTER TABLE "parts" ADD CONSTRAINT "parts_price" CHECK ("parts"."price_cents" between 1 and 99999900);
--> statement-breakpoint
ALTER TABLE "parts" ADD CONSTRAINT "parts_cost" CHECK ("parts"."cost_cents" between 0 and 99999900);
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.part_id, NEW.quantity) IS DISTINCT FROM (OLD.user_id, OLD.part_id, OLD.quantity)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.price_cents, NEW.total_cents) IS DISTINCT FROM (OLD.price_cents, OLD.total_cents) AND (
    OLD.status <> 'unpaid' OR NEW.status <> 'unpaid' OR OLD.hold_expires_at IS NOT NULL
    OR EXISTS (SELECT FROM payments WHERE order_id = OLD._id AND status = 'open')
  ) THEN
    RAISE EXCEPTION 'order %: its price is frozen', OLD._id USING ERRCODE = 'restrict_violation';
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
CREATE OR REPLACE FUNCTION check_order_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders%ROWTYPE;
  held bigint;
  sold bigint;
BEGIN
  SELECT * INTO o FROM orders WHERE _id = NEW._id;
  SELECT coalesce(sum(reserved_delta), 0), count(*) FILTER (WHERE type = 'sell') INTO held, sold
    FROM stock_movements WHERE order_id = NEW._id;
  IF held <> (CASE WHEN o.hold_expires_at IS NULL THEN 0 ELSE o.quantity END) THEN
    RAISE EXCEPTION 'order %: the hold and the ledger differ', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_hold_in_ledger';
  END IF;
  IF (o.transaction_id IS NOT NULL) <> (sold = 1) THEN
    RAISE EXCEPTION 'order %: paid and sold differ', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_sold_in_ledger';
  END IF;
  IF o.transaction_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM payments WHERE intent_id = o.transaction_id AND order_id = o._id
      AND amount = o.total_cents AND status = 'succeeded'
  ) THEN
    RAISE EXCEPTION 'order %: paid without a payment of its total', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_paid_in_payments';
  END IF;
  RETURN NULL;
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
        'trackingNumber', NEW.tracking_number))
    FROM webhook_endpoints WHERE disabled_at IS NULL AND event = ANY (events);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION apply_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  p payments%ROWTYPE;
  o orders%ROWTYPE;
  promised bigint;
  given bigint;
  units bigint;
BEGIN
  SELECT * INTO p FROM payments WHERE intent_id = NEW.intent_id;
  -- this lock puts the refunds of one order one after the other
  SELECT * INTO o FROM orders WHERE _id = p.order_id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount) FILTER (WHERE state <> 'failed'), 0),
      coalesce(sum(amount) FILTER (WHERE state IN ('pending', 'succeeded')), 0),
      coalesce(sum(restock) FILTER (WHERE state <> 'failed'
        OR EXISTS (SELECT FROM stock_movements m WHERE m.refund_id = r._id)), 0)
    INTO promised, given, units FROM refunds r WHERE r.intent_id = NEW.intent_id;
  -- an admin refunds what paid an order; what no order could take goes back by itself
  IF (p.status <> 'unmatched' AND o.transaction_id IS DISTINCT FROM p.intent_id)
    OR NEW.cause = (CASE WHEN p.status = 'unmatched' THEN 'admin' ELSE 'unmatched_payment' END) THEN
    RAISE EXCEPTION 'payment %: it is %, so there is no refund of cause %', p.intent_id, p.status, NEW.cause
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_of_paid';
  END IF;
  IF given > p.amount OR (NEW.state = 'requested' AND promised > p.amount) THEN
    RAISE EXCEPTION 'payment %: % cents would be given back', p.intent_id, promised
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
  END IF;
  IF units > o.quantity THEN
    RAISE EXCEPTION 'order %: % units would be restocked', o._id, units
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_booked';
  END IF;
  UPDATE orders SET refunded_cents = given, status = CASE
      WHEN given = total_cents THEN 'refunded'
      WHEN status <> 'refunded' THEN status
      WHEN shipped_at IS NULL THEN 'paid'
      ELSE 'shipped' END
    WHERE _id = o._id AND transaction_id = p.intent_id AND refunded_cents <> given;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION trust_of(mailboxes text[]) RETURNS TABLE (of_mailbox text, trust numeric) LANGUAGE plpgsql STABLE
  -- every booking calls it: to plan it anew costs more than to run it
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION queue_of(of_part uuid) RETURNS TABLE (
  place_id uuid, of_mailbox text, is_offered boolean, is_covered boolean, is_behind boolean, is_crowded boolean,
  units integer, "position" integer
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  WITH part AS (SELECT price_cents, minimum_order_quantity AS smallest FROM parts WHERE _id = of_part),
  places AS (
    SELECT q._id, q.turn, q.quantity, q.networks, q.offered_at IS NOT NULL AS is_offered, u.mailbox
    FROM queue_places q JOIN users u ON u._id = q.user_id WHERE q.part_id = of_part),
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
      WHERE o.part_id = of_part AND o.hold_expires_at > now() AND NOT has_paid(u.mailbox)),
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION offer_units(of_part uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free integer;
  smallest integer;
  price_each numeric;
  half integer;
  place record;
  served text[] := '{}';
BEGIN
  SELECT on_hand - reserved, minimum_order_quantity, price_cents, on_hand / 2 INTO free, smallest, price_each, half FROM parts
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION part_index_of(part parts) RETURNS part_index LANGUAGE sql STABLE AS $$
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION index_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO part_index AS had SELECT made.* FROM part_index_of(NEW) made
    ON CONFLICT (part_id) DO UPDATE SET (is_on_sale, kind, price_cents, sold_90, facets, words, search) =
      (excluded.is_on_sale, excluded.kind, excluded.price_cents, excluded.sold_90, excluded.facets, excluded.words, excluded.search)
    WHERE had.* IS DISTINCT FROM excluded.*;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER parts_date_change
  BEFORE UPDATE OF name, kind, brand, sku, mpn, gtin, specs, image, image_alt, more_pictures, description,
    minimum_order_quantity, price_cents, state, deleted_at
  ON parts FOR EACH ROW EXECUTE FUNCTION date_part_change();
--> statement-breakpoint
CREATE TRIGGER parts_index
  AFTER INSERT OR UPDATE OF name, kind, brand, sku, mpn, gtin, description, specs, price_cents, state, deleted_at, sold_90 ON parts
  FOR EACH ROW EXECUTE FUNCTION index_part();
