CREATE TRIGGER baskets_refuse_deleted_user BEFORE INSERT ON baskets
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();--> statement-breakpoint
CREATE TRIGGER addresses_refuse_deleted_user BEFORE INSERT ON addresses
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();--> statement-breakpoint
CREATE TRIGGER notes_refuse_deleted_user BEFORE INSERT ON notes
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();--> statement-breakpoint
CREATE TRIGGER tickets_refuse_deleted_user BEFORE INSERT ON tickets
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();
