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
END $$;--> statement-breakpoint
CREATE TRIGGER tickets_guard BEFORE UPDATE ON tickets FOR EACH ROW EXECUTE FUNCTION guard_ticket();--> statement-breakpoint
CREATE TRIGGER tickets_never_removed BEFORE DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER tickets_never_emptied BEFORE TRUNCATE ON tickets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
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
END $$;--> statement-breakpoint
CREATE TRIGGER ticket_lines_guard BEFORE INSERT OR UPDATE ON ticket_lines
  FOR EACH ROW EXECUTE FUNCTION guard_ticket_line();--> statement-breakpoint
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
END $$;--> statement-breakpoint
CREATE TRIGGER ticket_lines_check AFTER INSERT ON ticket_lines FOR EACH ROW EXECUTE FUNCTION check_ticket_units();--> statement-breakpoint
CREATE TRIGGER tickets_reopened AFTER UPDATE OF state ON tickets
  FOR EACH ROW WHEN (OLD.state = 'refused' AND NEW.state = 'asked') EXECUTE FUNCTION check_ticket_units();--> statement-breakpoint
CREATE TRIGGER ticket_lines_never_removed BEFORE DELETE ON ticket_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- A message never changes, but it can be emptied.
CREATE FUNCTION guard_ticket_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.text <> '' OR (NEW._id, NEW.ticket_id, NEW.author, NEW.admin_id, NEW.state, NEW.created_at)
    IS DISTINCT FROM (OLD._id, OLD.ticket_id, OLD.author, OLD.admin_id, OLD.state, OLD.created_at) THEN
    RAISE EXCEPTION 'a message never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER ticket_messages_guard BEFORE UPDATE ON ticket_messages
  FOR EACH ROW EXECUTE FUNCTION guard_ticket_message();--> statement-breakpoint
CREATE TRIGGER ticket_messages_never_removed BEFORE DELETE ON ticket_messages
  FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE OR REPLACE FUNCTION bound_mails() RETURNS trigger LANGUAGE plpgsql AS $$
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
    'order-ending', 'payment-reminder', 'queue-offer', 'queue-ended', 'question-received', 'withdrawal-link') THEN
    RETURN NEW;
  END IF;
  is_own := address NOT LIKE '%+%';
  NEW.quota := mailbox_key(CASE
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
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
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
