-- What was written down stays as it was written.
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A shop keeps an admin who can act: one with the role, a verified e-mail, and not disabled. Checked at commit, one
-- transaction at a time: of two admins who take each other's rights at once, the second sees that it would be the end.
CREATE FUNCTION keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('keep_an_admin'));
  IF NOT EXISTS (SELECT FROM users WHERE role = 'admin' AND email_verified AND disabled_at IS NULL) THEN
    RAISE EXCEPTION 'the last admin can not be lost'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_last_admin';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Not asked when a provider takes its word about an address back: that would keep an admin from logging in.
CREATE CONSTRAINT TRIGGER users_keep_an_admin AFTER UPDATE OF role, disabled_at ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.role = 'admin' AND OLD.email_verified AND OLD.disabled_at IS NULL
    AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION keep_an_admin();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER users_keep_an_admin_row AFTER DELETE ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.role = 'admin' AND OLD.email_verified AND OLD.disabled_at IS NULL)
  EXECUTE FUNCTION keep_an_admin();
