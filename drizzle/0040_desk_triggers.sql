CREATE FUNCTION tell_ticket_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE TG_OP WHEN 'INSERT' THEN 'ticket.opened' ELSE 'ticket.changed' END;
BEGIN
  INSERT INTO webhook_messages (endpoint_id, ticket_id, type, payload)
    SELECT _id, NEW._id, event, json_build_object(
      'type', event, 'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', json_build_object('_id', NEW._id, 'number', NEW.number, 'type', NEW.type, 'state', NEW.state,
        'checkoutId', NEW.checkout_id))
    FROM webhook_endpoints WHERE disabled_at IS NULL AND event = ANY (events);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER tickets_tell_opened AFTER INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION tell_ticket_webhooks();--> statement-breakpoint
CREATE TRIGGER tickets_tell_change AFTER UPDATE OF state ON tickets
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION tell_ticket_webhooks();
