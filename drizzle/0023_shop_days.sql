-- The time zone of the shop, as the owner saved it.
CREATE FUNCTION shop_zone() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT settings->'shop'->>'timeZone' FROM shop_settings), 'UTC')
$$;
--> statement-breakpoint
CREATE FUNCTION shop_today() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (now() AT TIME ZONE shop_zone())::date
$$;
--> statement-breakpoint
-- When a day begins in the shop; a day may have 23 or 25 hours.
CREATE FUNCTION shop_midnight(day date) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT day::timestamp AT TIME ZONE shop_zone()
$$;
