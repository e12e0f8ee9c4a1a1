-- An address is a label of its user: what belongs to the user follows it, whichever way it changes.
CREATE FUNCTION follow_user_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  UPDATE reviews SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER users_follow_address AFTER UPDATE OF email ON users
  FOR EACH ROW WHEN (OLD.email <> NEW.email) EXECUTE FUNCTION follow_user_address();
