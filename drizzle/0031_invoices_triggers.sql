-- An invoice never changes, and none is missing.
CREATE TRIGGER invoices_append_only BEFORE UPDATE OR DELETE ON invoices
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER invoices_never_emptied BEFORE TRUNCATE ON invoices
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A number follows the last of its series and year: what was drawn was used.
CREATE FUNCTION check_invoice_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number <> 1 + coalesce((SELECT max(number) FROM invoices WHERE series = NEW.series AND year = NEW.year), 0) THEN
    RAISE EXCEPTION 'invoice %-%-%: it does not follow the last one', NEW.year, NEW.series, NEW.number
      USING ERRCODE = 'check_violation', CONSTRAINT = 'invoices_without_gap';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER invoices_check_number BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION check_invoice_number();
