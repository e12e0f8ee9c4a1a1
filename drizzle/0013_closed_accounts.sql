ALTER TABLE "users" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "mail_outbox_recipient" ON "mail_outbox" USING btree ("recipient","created_at","_id");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_closed" CHECK ("users"."closed_at" is null
        or ("users"."disabled_at" is not null and "users"."role" = 'customer' and not "users"."email_verified"));
--> statement-breakpoint
-- A closed account takes nothing new: who books, reviews or writes a profile while it is being closed waits for that
-- and is refused then.
CREATE FUNCTION refuse_closed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE _id = NEW.user_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user %: the account is closed', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_open';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_of_open_user BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse_closed_user();
--> statement-breakpoint
CREATE TRIGGER reviews_of_open_user BEFORE INSERT ON reviews
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_closed_user();
--> statement-breakpoint
CREATE TRIGGER profiles_of_open_user BEFORE INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION refuse_closed_user();
