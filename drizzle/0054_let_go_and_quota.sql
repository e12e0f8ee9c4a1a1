ALTER TABLE "abandoned_holds" ADD COLUMN "network" text;--> statement-breakpoint
CREATE INDEX "abandoned_holds_network" ON "abandoned_holds" USING btree ("network","created_at") WHERE "abandoned_holds"."network" is not null;
--> statement-breakpoint
-- A customer who switches a second factor on and off sends no more mails than by other changes.
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
