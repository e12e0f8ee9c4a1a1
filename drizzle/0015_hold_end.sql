ALTER TABLE "orders" ADD COLUMN "hold_ended_at" timestamp (3) with time zone;--> statement-breakpoint
-- Whatever ends a hold, the order says when. It forgets it when it is held again, paid or deleted.
CREATE FUNCTION note_hold_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.hold_ended_at := CASE
    WHEN NEW.status <> 'unpaid' OR NEW.hold_expires_at IS NOT NULL THEN NULL
    WHEN OLD.hold_expires_at IS NOT NULL THEN least(OLD.hold_expires_at, now())
    ELSE OLD.hold_ended_at
  END;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER orders_note_hold_end BEFORE UPDATE OF hold_expires_at, status ON orders
  FOR EACH ROW EXECUTE FUNCTION note_hold_end();
