-- What was paid before the address was confirmed belongs to the first mailbox that is.
UPDATE "orders" o SET "payer" = mailbox_key(u."mailbox") FROM "users" u
  WHERE u."_id" = o."user_id" AND u."email_verified" AND o."payer" = mailbox_key(u."_id"::text);
--> statement-breakpoint
-- statements of triggers.sql
CREATE OR REPLACE FUNCTION follow_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.email_verified THEN
    UPDATE orders SET payer = mailbox_key(NEW.mailbox) WHERE user_id = NEW._id AND payer = mailbox_key(NEW._id::text);
  END IF;
  INSERT INTO abandoned_holds (mailbox, part_id, order_id, cause, pause_until, created_at)
    SELECT mailbox_key(NEW.mailbox), part_id, order_id, cause, pause_until, created_at
    FROM abandoned_holds a WHERE mailbox = mailbox_key(OLD.mailbox) AND NOT EXISTS (
      SELECT FROM abandoned_holds b WHERE b.mailbox = mailbox_key(NEW.mailbox)
        AND (b.part_id, b.cause, b.created_at) = (a.part_id, a.cause, a.created_at));
  RETURN NULL;
END $$;
