-- What anybody can cause in mails counts against quotas, of which no stranger uses up a customer's.
ALTER TABLE "mail_queue" ADD COLUMN "quota" "bytea";--> statement-breakpoint
CREATE INDEX "mail_queue_quota" ON "mail_queue" USING btree ("quota","created_at") WHERE "mail_queue"."quota" is not null;
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION bound_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address CONSTANT text := lower(NEW.recipient);
  mailbox CONSTANT text := mailbox_of(address);
  needs_no_login CONSTANT boolean := NEW.template IN ('verify-email', 'change-email', 'reset-password');
  is_confirmed boolean;
  same_hour integer;
  hour integer;
  day integer;
BEGIN
  NEW.mailbox := mailbox_key(mailbox);
  NEW.turn := greatest(now(), (SELECT max(m.turn) + interval '1 minute' FROM mail_queue m
    WHERE m.mailbox = NEW.mailbox AND m.created_at > now() - interval '1 day'));
  IF NOT needs_no_login AND NEW.template NOT IN ('password-changed', 'address-changed', 'order-booked', 'hold-ended',
    'order-ending', 'payment-reminder', 'queue-offer', 'queue-ended') THEN
    RETURN NEW;
  END IF;
  is_confirmed := EXISTS (SELECT FROM users u WHERE u.email = address AND u.email_verified);
  NEW.quota := mailbox_key(CASE
    WHEN is_confirmed AND NOT needs_no_login THEN 'account of ' || mailbox
    WHEN is_confirmed OR address = mailbox THEN 'address ' || address
    ELSE 'other spellings of ' || mailbox END);
  -- the last lock of every transaction that takes it
  PERFORM pg_advisory_xact_lock(hashtextextended('mails of ' || encode(NEW.quota, 'hex'), 0));
  SELECT count(*) FILTER (WHERE m.template = NEW.template AND m.created_at > now() - interval '1 hour'),
      count(*) FILTER (WHERE m.created_at > now() - interval '1 hour'), count(*) INTO same_hour, hour, day
    FROM mail_queue m WHERE m.quota = NEW.quota AND m.created_at > now() - interval '1 day';
  RETURN CASE WHEN CASE
    WHEN is_confirmed AND needs_no_login THEN same_hour < 5
    WHEN is_confirmed THEN hour < 20 AND day < 60
    ELSE same_hour < 5 AND hour < 10 AND day < 20 END THEN NEW END;
END $$;
