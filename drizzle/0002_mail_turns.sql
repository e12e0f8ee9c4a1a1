ALTER TABLE "stock_movements" DROP CONSTRAINT "stock_movements_order_id_orders__id_fk";
--> statement-breakpoint
DROP INDEX "mail_queue_due";--> statement-breakpoint
ALTER TABLE "mail_queue" ADD COLUMN "mailbox" "bytea" DEFAULT ''::bytea NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_queue" ADD COLUMN "turn" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_queue" ADD COLUMN "urgency" smallint GENERATED ALWAYS AS (case when template in ('verify-email', 'change-email', 'reset-password', 'password-changed', 'address-changed') then 0 when template in ('order-paid', 'order-refunded', 'refund-failed', 'payment-returned', 'order-shipped') then 1 else 2 end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_queue_mailbox" ON "mail_queue" USING btree ("mailbox","created_at");--> statement-breakpoint
CREATE INDEX "mail_queue_due" ON "mail_queue" USING btree ("urgency","turn") WHERE "mail_queue"."sent_at" is null and "mail_queue"."given_up_at" is null;
--> statement-breakpoint
UPDATE mail_queue SET mailbox = mailbox_key(mailbox_of(recipient)), turn = created_at;
--> statement-breakpoint
-- statements of triggers.sql
DROP TRIGGER stock_movements_append_only ON stock_movements;
--> statement-breakpoint
DROP TRIGGER orders_never_removed ON orders;
--> statement-breakpoint
CREATE TRIGGER stock_movements_append_only BEFORE UPDATE ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'orders' THEN
    IF OLD.status = 'deleted' AND OLD.created_at < now() - interval '90 days' THEN
      RETURN OLD;
    END IF;
  ELSIF OLD.order_id IS NOT NULL AND NOT EXISTS (SELECT FROM orders WHERE _id = OLD.order_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_never_removed BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_removal();
--> statement-breakpoint
CREATE TRIGGER stock_movements_never_removed BEFORE DELETE ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_removal();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION bound_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  needs_no_login CONSTANT text[] := '{verify-email,change-email,reset-password}';
  others CONSTANT text[] := '{password-changed,order-booked,hold-ended,order-ending}';
  is_open boolean := NEW.template = ANY (needs_no_login);
  is_verified boolean;
  same_hour integer;
  hour integer;
  day integer;
BEGIN
  NEW.mailbox := mailbox_key(mailbox_of(NEW.recipient));
  NEW.turn := greatest(now(), (SELECT max(m.turn) + interval '1 minute' FROM mail_queue m
    WHERE m.mailbox = NEW.mailbox AND m.created_at > now() - interval '1 day'));
  IF NEW.template <> ALL (needs_no_login || others) THEN
    RETURN NEW;
  END IF;
  -- the last lock of every transaction that takes it
  PERFORM pg_advisory_xact_lock(hashtextextended('mails to ' || encode(NEW.mailbox, 'hex'), 0));
  is_verified := EXISTS (SELECT FROM users u WHERE u.mailbox = mailbox_of(NEW.recipient) AND u.email_verified);
  SELECT count(*) FILTER (WHERE m.template = NEW.template AND m.created_at > now() - interval '1 hour'),
      count(*) FILTER (WHERE m.created_at > now() - interval '1 hour'), count(*) INTO same_hour, hour, day
    FROM mail_queue m WHERE m.mailbox = NEW.mailbox AND m.created_at > now() - interval '1 day'
      AND m.template = ANY (CASE WHEN NOT is_verified THEN needs_no_login || others
        WHEN is_open THEN needs_no_login ELSE others END);
  IF (same_hour >= 5 AND (is_open OR NOT is_verified))
    OR hour >= (CASE WHEN is_verified THEN 20 ELSE 10 END) OR day >= (CASE WHEN is_verified THEN 60 ELSE 20 END) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER mail_queue_bound BEFORE INSERT ON mail_queue FOR EACH ROW EXECUTE FUNCTION bound_mails();
