CREATE FUNCTION check_open_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.amount <> due_of(NEW.checkout_id) THEN
    RAISE EXCEPTION 'payment %: it asks for another sum than its checkout costs', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_open_due';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER payments_check_open BEFORE INSERT ON payments
  FOR EACH ROW WHEN (NEW.status = 'open') EXECUTE FUNCTION check_open_payment();
