ALTER TABLE "users" ALTER COLUMN "mailbox" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "mailbox" SET DEFAULT '';
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION note_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.mailbox := CASE
    WHEN NEW.deleted_at IS NOT NULL THEN NEW._id::text
    WHEN TG_OP = 'UPDATE' AND OLD.mailbox <> OLD._id::text THEN OLD.mailbox
    WHEN NEW.email_verified THEN mailbox_of(NEW.email)
    ELSE NEW._id::text END;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_note_mailbox BEFORE INSERT OR UPDATE OF mailbox, email, email_verified, deleted_at ON users
  FOR EACH ROW EXECUTE FUNCTION note_mailbox();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION follow_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET payer = mailbox_key(NEW.mailbox) WHERE user_id = NEW._id AND payer = mailbox_key(OLD.mailbox);
  INSERT INTO abandoned_holds (mailbox, part_id, order_id, cause, pause_until, created_at)
    SELECT mailbox_key(NEW.mailbox), part_id, order_id, cause, pause_until, created_at
    FROM abandoned_holds WHERE mailbox = mailbox_key(OLD.mailbox);
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER users_follow_mailbox ON users;
--> statement-breakpoint
CREATE TRIGGER users_follow_mailbox AFTER UPDATE OF email, email_verified ON users
  FOR EACH ROW WHEN (OLD.mailbox = OLD._id::text AND NEW.mailbox <> OLD.mailbox) EXECUTE FUNCTION follow_mailbox();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION bound_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address CONSTANT text := lower(NEW.recipient);
  mailbox CONSTANT text := mailbox_of(address);
  needs_no_login CONSTANT boolean := NEW.template IN ('verify-email', 'change-email', 'reset-password');
  is_confirmed boolean;
  is_own boolean;
  same_hour integer;
  same_day integer;
  hour integer;
  day integer;
BEGIN
  NEW.mailbox := mailbox_key(mailbox);
  NEW.turn := greatest(now(), (SELECT max(m.turn) + interval '1 minute' FROM mail_queue m
    WHERE m.mailbox = NEW.mailbox AND m.created_at > now() - interval '1 day'));
  is_confirmed := EXISTS (SELECT FROM users u WHERE u.email = address AND u.email_verified);
  NEW.urgency := CASE
    WHEN NEW.template IN ('verify-email', 'change-email', 'reset-password', 'password-changed', 'address-changed')
      THEN CASE WHEN is_confirmed THEN 0 ELSE 2 END
    WHEN NEW.template IN ('order-paid', 'order-refunded', 'refund-failed', 'payment-returned', 'order-shipped') THEN 1
    ELSE 3 END;
  IF NOT needs_no_login AND NEW.template NOT IN ('password-changed', 'address-changed', 'order-booked', 'hold-ended',
    'order-ending', 'payment-reminder', 'queue-offer', 'queue-ended') THEN
    RETURN NEW;
  END IF;
  is_own := address NOT LIKE '%+%';
  NEW.quota := mailbox_key(CASE
    WHEN is_confirmed AND NOT needs_no_login THEN 'account of ' || mailbox
    WHEN is_confirmed THEN 'address ' || address
    WHEN is_own THEN 'address ' || mailbox
    ELSE 'other spellings of ' || mailbox END);
  -- the last lock of every transaction that takes it
  PERFORM pg_advisory_xact_lock(hashtextextended('mails of ' || encode(NEW.quota, 'hex'), 0));
  SELECT count(*) FILTER (WHERE m.template = NEW.template AND m.created_at > now() - interval '1 hour'),
      count(*) FILTER (WHERE m.template = NEW.template),
      count(*) FILTER (WHERE m.created_at > now() - interval '1 hour'), count(*) INTO same_hour, same_day, hour, day
    FROM mail_queue m WHERE m.quota = NEW.quota AND m.created_at > now() - interval '1 day';
  RETURN CASE WHEN CASE
    WHEN is_confirmed AND needs_no_login THEN same_hour < 5 AND same_day < 15
    WHEN is_confirmed THEN hour < 20 AND day < 60
    WHEN is_own THEN same_hour < 5 AND hour < 10 AND day < 20
    ELSE hour < 4 AND day < 8 END OR needs_no_login AND (is_confirmed OR address IN (SELECT i.email FROM identity."user" i WHERE mailbox_of(i.email) = mailbox
        ORDER BY i.created_at, i.id LIMIT 2))
      -- a blank one went to an account that was deleted
      AND NOT EXISTS (SELECT FROM mail_queue m WHERE m.mailbox = NEW.mailbox AND m.template = NEW.template
        AND (m.recipient = NEW.recipient OR m.text = '') AND m.created_at > now() - interval '1 hour') THEN NEW END;
END $$;
