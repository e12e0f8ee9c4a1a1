-- Answers to tickets went to the address that the account had when they were opened.
CREATE OR REPLACE FUNCTION follow_user_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  UPDATE reviews SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  UPDATE tickets SET email = NEW.email WHERE user_id = NEW._id AND email = OLD.email;
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE tickets t SET email = u.email FROM users u
  WHERE u._id = t.user_id AND t.email <> u.email AND t.email NOT LIKE '%@deleted.invalid';
