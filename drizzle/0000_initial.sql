-- The schema of the first release: tables as drizzle-kit makes them of server/database/schema, then the text of
-- server/database/triggers.sql. Never edited once released.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE SCHEMA "identity";
--> statement-breakpoint
CREATE SEQUENCE "public"."order_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."part_positions" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "api_keys" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"start" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash"),
	CONSTRAINT "api_keys_hash" CHECK ("api_keys"."hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_scopes" CHECK (cardinality("api_keys"."scopes") > 0),
	CONSTRAINT "api_keys_end" CHECK ("api_keys"."ends_at" <= "api_keys"."created_at" + interval '367 days')
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"_id" bigserial PRIMARY KEY NOT NULL,
	"actor_id" uuid,
	"api_key" text,
	"action" text NOT NULL,
	"user_id" uuid,
	"part_id" uuid,
	"order_id" uuid,
	"review_id" uuid,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_log_subject" CHECK (num_nonnulls("audit_log"."user_id", "audit_log"."part_id", "audit_log"."order_id", "audit_log"."review_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "batch_parts" (
	"batch_id" uuid NOT NULL,
	"part_id" uuid NOT NULL,
	"before" jsonb,
	"change" integer NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "batch_parts_batch_id_part_id_pk" PRIMARY KEY("batch_id","part_id")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone,
	CONSTRAINT "batches_type" CHECK ("batches"."type" in ('import', 'bulk edit'))
);
--> statement-breakpoint
CREATE TABLE "suppliers" (
	"name" text PRIMARY KEY NOT NULL,
	"plan" jsonb NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"supplier" text NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"expected_on" date,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || supplier || E'\n ' || reference || E'\n ' || _id::text, '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL,
	CONSTRAINT "deliveries_supplier" CHECK ("deliveries"."supplier" <> '')
);
--> statement-breakpoint
CREATE TABLE "delivery_lines" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"delivery_id" uuid NOT NULL,
	"part_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"quantity" integer NOT NULL,
	"received" integer DEFAULT 0 NOT NULL,
	"canceled" integer DEFAULT 0 NOT NULL,
	"cost" integer,
	CONSTRAINT "delivery_lines_part" UNIQUE("delivery_id","part_id"),
	CONSTRAINT "delivery_lines_quantity" CHECK ("delivery_lines"."quantity" between 1 and 100000),
	CONSTRAINT "delivery_lines_cost" CHECK ("delivery_lines"."cost" >= 0),
	CONSTRAINT "delivery_lines_received" CHECK ("delivery_lines"."received" >= 0 and "delivery_lines"."canceled" >= 0 and "delivery_lines"."received" + "delivery_lines"."canceled" <= "delivery_lines"."quantity")
);
--> statement-breakpoint
CREATE TABLE "identity"."account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."jwks" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"alg" text,
	"crv" text
);
--> statement-breakpoint
CREATE TABLE "identity"."session" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "identity"."user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "identity"."verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kinds" (
	"slug" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"other_names" text[] DEFAULT '{}' NOT NULL,
	"drawing" text DEFAULT '/images/dddddddddddddddddddd0000-960.webp' NOT NULL,
	"position" bigserial NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "kinds_name" UNIQUE("name"),
	CONSTRAINT "kinds_slug" CHECK ("kinds"."slug" ~ '^[^[:space:]/?#%]{1,80}$')
);
--> statement-breakpoint
CREATE TABLE "spec_fields" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"type" text NOT NULL,
	"unit" text DEFAULT '' NOT NULL,
	"min" double precision DEFAULT 0 NOT NULL,
	"max" double precision DEFAULT 1000000 NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_open" boolean DEFAULT false NOT NULL,
	"is_facet" boolean DEFAULT true NOT NULL,
	"is_searched" boolean DEFAULT true NOT NULL,
	"is_card" boolean DEFAULT false NOT NULL,
	"promoted" boolean DEFAULT false NOT NULL,
	"better" text,
	"group" text DEFAULT '' NOT NULL,
	"position" integer NOT NULL,
	"is_builtin" boolean DEFAULT false NOT NULL,
	CONSTRAINT "spec_fields_kind_key_pk" PRIMARY KEY("kind","key"),
	CONSTRAINT "spec_fields_key" CHECK ("spec_fields"."key" ~ '^[a-z][a-z0-9_]{0,39}$'),
	CONSTRAINT "spec_fields_reserved" CHECK ("spec_fields"."key" !~ '^(kind|q|as|brand|stock|sort|after|limit|price|parts|constructor|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|(utm|mc|hsa|pk)_.*)$'),
	CONSTRAINT "spec_fields_type" CHECK ("spec_fields"."type" in ('one', 'many', 'number', 'yes')),
	CONSTRAINT "spec_fields_unit" CHECK ("spec_fields"."unit" = '' or "spec_fields"."type" = 'number'),
	CONSTRAINT "spec_fields_better" CHECK ("spec_fields"."better" is null or ("spec_fields"."better" in ('more', 'less') and "spec_fields"."type" = 'number')),
	CONSTRAINT "spec_fields_range" CHECK ("spec_fields"."min" <= "spec_fields"."max"),
	CONSTRAINT "spec_fields_options" CHECK (case when "spec_fields"."type" in ('one', 'many') then jsonb_typeof("spec_fields"."options") = 'array'
        and not jsonb_path_exists("spec_fields"."options", '$[*] ? (!(@.value.type() == "string" && @.also.type() == "array"))')
        else "spec_fields"."options" = '[]' and not "spec_fields"."is_open" end)
);
--> statement-breakpoint
CREATE TABLE "mail_queue" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"template" text NOT NULL,
	"dedupe" text,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"order_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"given_up_at" timestamp (3) with time zone,
	"dismissed_at" timestamp (3) with time zone,
	CONSTRAINT "mail_queue_dedupe_unique" UNIQUE("dedupe"),
	CONSTRAINT "mail_queue_end" CHECK (num_nonnulls("mail_queue"."sent_at", "mail_queue"."given_up_at") <= 1),
	CONSTRAINT "mail_queue_dismissed" CHECK ("mail_queue"."dismissed_at" is null or "mail_queue"."given_up_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" text DEFAULT 'F-' || nextval('order_numbers') NOT NULL,
	"user_id" uuid NOT NULL,
	"part_id" uuid NOT NULL,
	"product" text NOT NULL,
	"image" text NOT NULL,
	"customer" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"quantity" integer NOT NULL,
	"price" integer NOT NULL,
	"total_price" integer NOT NULL,
	"status" text DEFAULT 'unpaid' NOT NULL,
	"transaction_id" text,
	"hold_expires_at" timestamp (3) with time zone,
	"hold_ended_at" timestamp (3) with time zone,
	"hold_limit_at" timestamp (3) with time zone,
	"hold_ran_out_at" timestamp (3) with time zone,
	"network" text,
	"provider_checked_at" timestamp (3) with time zone,
	"end_announced_at" timestamp (3) with time zone,
	"idempotency_key" text,
	"request_hash" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"shipped_at" timestamp (3) with time zone,
	"carrier" text,
	"tracking_number" text,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || number || E'\n ' || product || E'\n ' || customer || E'\n ' || email || E'\n ' || phone || E'\n ' || _id::text || E'\n ' || coalesce(transaction_id, ''), '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL,
	CONSTRAINT "orders_number_unique" UNIQUE("number"),
	CONSTRAINT "orders_transaction_id_unique" UNIQUE("transaction_id"),
	CONSTRAINT "orders_idempotency" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "orders_quantity" CHECK ("orders"."quantity" between 1 and 100000),
	CONSTRAINT "orders_total" CHECK ("orders"."total_price" = "orders"."quantity"::bigint * "orders"."price"),
	CONSTRAINT "orders_total_limit" CHECK ("orders"."total_price" between 1 and 999999),
	CONSTRAINT "orders_status" CHECK ("orders"."status" in ('unpaid', 'paid', 'shipped', 'refunded', 'deleted')),
	CONSTRAINT "orders_paid" CHECK (("orders"."status" in ('paid', 'shipped', 'refunded')) = ("orders"."transaction_id" is not null)),
	CONSTRAINT "orders_shipped" CHECK (("orders"."shipped_at" is null or "orders"."status" in ('shipped', 'refunded'))
        and ("orders"."shipped_at" is not null or num_nonnulls("orders"."carrier", "orders"."tracking_number") = 0)),
	CONSTRAINT "orders_refunded" CHECK (case when "orders"."status" = 'refunded' then "orders"."refunded_cents" = "orders"."total_price"::bigint * 100
        when "orders"."status" in ('paid', 'shipped') then "orders"."refunded_cents" >= 0 and "orders"."refunded_cents" < "orders"."total_price"::bigint * 100
        else "orders"."refunded_cents" = 0 end),
	CONSTRAINT "orders_hold" CHECK ("orders"."hold_expires_at" is null or "orders"."status" = 'unpaid'),
	CONSTRAINT "orders_hold_limit" CHECK ("orders"."hold_expires_at" is null or ("orders"."hold_limit_at" is not null and "orders"."hold_expires_at" <= "orders"."hold_limit_at")),
	CONSTRAINT "orders_network" CHECK ("orders"."network" is null or "orders"."hold_expires_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "hosted_pictures" (
	"url" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"delete_url" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "part_index" (
	"part_id" uuid PRIMARY KEY NOT NULL,
	"is_on_sale" boolean NOT NULL,
	"kind" text NOT NULL,
	"price" integer NOT NULL,
	"sold_90" integer NOT NULL,
	"facets" text[] NOT NULL,
	"words" "tsvector" NOT NULL,
	"search" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "parts" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "parts_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"brand" text DEFAULT '' NOT NULL,
	"sku" text DEFAULT '' NOT NULL,
	"mpn" text DEFAULT '' NOT NULL,
	"gtin" text DEFAULT '' NOT NULL,
	"specs" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"image" text NOT NULL,
	"image_alt" text DEFAULT '' NOT NULL,
	"more_pictures" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"description" text NOT NULL,
	"minimum_order_quantity" integer NOT NULL,
	"price" integer NOT NULL,
	"cost" integer DEFAULT 0 NOT NULL,
	"on_hand" integer DEFAULT 0 NOT NULL,
	"reserved" integer DEFAULT 0 NOT NULL,
	"position" numeric DEFAULT nextval('part_positions') NOT NULL,
	"state" text DEFAULT 'on sale' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"sold_90" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"rating_count" integer DEFAULT 0 NOT NULL,
	"rating_sum" integer DEFAULT 0 NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "parts_number_unique" UNIQUE("number"),
	CONSTRAINT "parts_on_hand" CHECK ("parts"."on_hand" >= 0),
	CONSTRAINT "parts_reserved" CHECK ("parts"."reserved" >= 0 and "parts"."reserved" <= "parts"."on_hand"),
	CONSTRAINT "parts_rating" CHECK ("parts"."rating_count" >= 0 and "parts"."rating_sum" between "parts"."rating_count" and 5 * "parts"."rating_count"),
	CONSTRAINT "parts_image_alt" CHECK (length("parts"."image_alt") <= 200),
	CONSTRAINT "parts_more_pictures" CHECK (case jsonb_typeof("parts"."more_pictures") when 'array' then
        jsonb_array_length("parts"."more_pictures") < 12
        and jsonb_array_length("parts"."more_pictures") = jsonb_array_length(jsonb_path_query_array("parts"."more_pictures",
          '$[*] ? (@.image.type() == "string" && @.alt.type() == "string")'))
        else false end),
	CONSTRAINT "parts_price" CHECK ("parts"."price" between 1 and 999999),
	CONSTRAINT "parts_cost" CHECK ("parts"."cost" between 0 and 999999),
	CONSTRAINT "parts_state" CHECK ("parts"."state" in ('on sale', 'draft')),
	CONSTRAINT "parts_gtin_digits" CHECK ("parts"."gtin" = '' or case when "parts"."gtin" ~ '^([0-9]{8}|[0-9]{13,14})$'
        then (substr(lpad("parts"."gtin", 14, '0'), 1, 1)::int * 3 + substr(lpad("parts"."gtin", 14, '0'), 2, 1)::int + substr(lpad("parts"."gtin", 14, '0'), 3, 1)::int * 3 + substr(lpad("parts"."gtin", 14, '0'), 4, 1)::int + substr(lpad("parts"."gtin", 14, '0'), 5, 1)::int * 3 + substr(lpad("parts"."gtin", 14, '0'), 6, 1)::int + substr(lpad("parts"."gtin", 14, '0'), 7, 1)::int * 3 + substr(lpad("parts"."gtin", 14, '0'), 8, 1)::int + substr(lpad("parts"."gtin", 14, '0'), 9, 1)::int * 3 + substr(lpad("parts"."gtin", 14, '0'), 10, 1)::int + substr(lpad("parts"."gtin", 14, '0'), 11, 1)::int * 3 + substr(lpad("parts"."gtin", 14, '0'), 12, 1)::int + substr(lpad("parts"."gtin", 14, '0'), 13, 1)::int * 3 + substr(lpad("parts"."gtin", 14, '0'), 14, 1)::int) % 10 = 0 else false end),
	CONSTRAINT "parts_minimum" CHECK ("parts"."minimum_order_quantity" between 1 and 100000)
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"url" text PRIMARY KEY NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"placeholder" text NOT NULL,
	"content" text NOT NULL,
	"uploaded_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"intent_id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"received_at" timestamp (3) with time zone,
	CONSTRAINT "payments_status" CHECK ("payments"."status" in ('open', 'succeeded', 'canceled', 'unmatched'))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"intent_id" text NOT NULL,
	"cause" text NOT NULL,
	"amount" integer NOT NULL,
	"state" text NOT NULL,
	"provider_id" text,
	"reason" text,
	"restock" integer DEFAULT 0 NOT NULL,
	"requested_by" uuid,
	"idempotency_key" text,
	"request_hash" text,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"given_at" timestamp (3) with time zone,
	"sent_back_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_provider_id_unique" UNIQUE("provider_id"),
	CONSTRAINT "refunds_idempotency" UNIQUE("requested_by","idempotency_key"),
	CONSTRAINT "refunds_state" CHECK ("refunds"."state" in ('requested', 'pending', 'succeeded', 'failed')),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refunds_restock" CHECK ("refunds"."restock" >= 0),
	CONSTRAINT "refunds_cause" CHECK (case "refunds"."cause"
        when 'admin' then num_nulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        when 'unmatched_payment' then "refunds"."reason" is not null and "refunds"."restock" = 0
          and num_nonnulls("refunds"."requested_by", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        when 'provider' then "refunds"."state" <> 'requested' and "refunds"."restock" = 0
          and num_nonnulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        else false end),
	CONSTRAINT "refunds_provider" CHECK ("refunds"."state" not in ('pending', 'succeeded') or "refunds"."provider_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"event_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"happened_at" timestamp (3) with time zone,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "picture_files" (
	"queue_id" uuid PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "picture_queue" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"part_id" uuid NOT NULL,
	"batch_id" uuid,
	"name" text NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"place" integer NOT NULL,
	"created_by" uuid NOT NULL,
	"api_key" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_until" timestamp (3) with time zone,
	"last_error" text,
	"added_at" timestamp (3) with time zone,
	"given_up_at" timestamp (3) with time zone,
	CONSTRAINT "picture_queue_source" CHECK (("picture_queue"."content" = '') <> ("picture_queue"."address" = '')),
	CONSTRAINT "picture_queue_end" CHECK (num_nonnulls("picture_queue"."added_at", "picture_queue"."given_up_at") <= 1)
);
--> statement-breakpoint
CREATE TABLE "queue_places" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"part_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"turn" bigserial NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"offered_at" timestamp (3) with time zone,
	"offer_ends_at" timestamp (3) with time zone,
	CONSTRAINT "queue_places_one" UNIQUE("user_id","part_id"),
	CONSTRAINT "queue_places_quantity" CHECK ("queue_places"."quantity" between 1 and 100000),
	CONSTRAINT "queue_places_offer" CHECK ("queue_places"."offer_ends_at" is null or "queue_places"."offered_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"part_id" uuid,
	"order_id" uuid,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"review" text NOT NULL,
	"ratings" integer NOT NULL,
	"bought_here" boolean DEFAULT false NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"hidden_at" timestamp (3) with time zone,
	"hidden_reason" text,
	"removed_at" timestamp (3) with time zone,
	"search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || name || E'\n ' || email || E'\n ' || review || E'\n ' || _id::text, '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL,
	CONSTRAINT "reviews_idempotency" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "reviews_of_part" UNIQUE("user_id","part_id"),
	CONSTRAINT "reviews_part_order" CHECK (("reviews"."part_id" is null) = ("reviews"."order_id" is null)),
	CONSTRAINT "reviews_ratings" CHECK ("reviews"."ratings" between 1 and 5),
	CONSTRAINT "reviews_hidden" CHECK (("reviews"."hidden_at" is null) = ("reviews"."hidden_reason" is null)),
	CONSTRAINT "reviews_removed" CHECK ("reviews"."removed_at" is null or "reviews"."review" = '')
);
--> statement-breakpoint
CREATE TABLE "search_log" (
	"day" date NOT NULL,
	"words" text NOT NULL,
	"found" integer NOT NULL,
	"asked" integer NOT NULL,
	CONSTRAINT "search_log_day_words_pk" PRIMARY KEY("day","words"),
	CONSTRAINT "search_log_words" CHECK (length("search_log"."words") between 1 and 200),
	CONSTRAINT "search_log_asked" CHECK ("search_log"."asked" > 0)
);
--> statement-breakpoint
CREATE TABLE "search_vocabulary" (
	"word" text PRIMARY KEY NOT NULL,
	"parts" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL,
	"means" text[] NOT NULL,
	CONSTRAINT "search_words_word" CHECK ("search_words"."word" ~ '^[^[:space:]]{1,60}$'),
	CONSTRAINT "search_words_means" CHECK (cardinality("search_words"."means") <= 20)
);
--> statement-breakpoint
CREATE TABLE "catalogue_changes" (
	"_id" bigserial PRIMARY KEY NOT NULL,
	"topic" text NOT NULL,
	"part_id" uuid,
	"changes" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "catalogue_changes_topic" CHECK ("catalogue_changes"."topic" in ('parts', 'reviews', 'held')),
	CONSTRAINT "catalogue_changes_count" CHECK ("catalogue_changes"."changes" > 0)
);
--> statement-breakpoint
CREATE TABLE "last_runs" (
	"job" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "shop" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"shop_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"secret_fingerprint" text NOT NULL,
	CONSTRAINT "shop_only_row" CHECK ("shop"."only_row")
);
--> statement-breakpoint
CREATE TABLE "stock_movements" (
	"_id" bigserial PRIMARY KEY NOT NULL,
	"part_id" uuid NOT NULL,
	"order_id" uuid,
	"refund_id" uuid,
	"place_id" uuid,
	"delivery_line_id" uuid,
	"type" text NOT NULL,
	"on_hand_delta" integer DEFAULT 0 NOT NULL,
	"reserved_delta" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_restocked_once" UNIQUE("refund_id"),
	CONSTRAINT "stock_delivered" CHECK ("stock_movements"."delivery_line_id" is null or "stock_movements"."type" = 'receive'),
	CONSTRAINT "stock_restocked" CHECK (("stock_movements"."type" = 'restock') = ("stock_movements"."refund_id" is not null)),
	CONSTRAINT "stock_offered" CHECK (("stock_movements"."type" in ('offer', 'withdraw')) = ("stock_movements"."place_id" is not null)),
	CONSTRAINT "stock_movements_type" CHECK (case "stock_movements"."type"
        when 'receive' then "stock_movements"."on_hand_delta" > 0 and "stock_movements"."reserved_delta" = 0
        when 'adjust' then "stock_movements"."reserved_delta" = 0
        when 'hold' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" > 0 and "stock_movements"."order_id" is not null
        when 'release' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" < 0 and "stock_movements"."order_id" is not null
        when 'sell' then "stock_movements"."on_hand_delta" < 0 and "stock_movements"."reserved_delta" = "stock_movements"."on_hand_delta" and "stock_movements"."order_id" is not null
        when 'restock' then "stock_movements"."on_hand_delta" > 0 and "stock_movements"."reserved_delta" = 0 and "stock_movements"."order_id" is not null
        when 'offer' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" > 0 and "stock_movements"."order_id" is null
        when 'withdraw' then "stock_movements"."on_hand_delta" = 0 and "stock_movements"."reserved_delta" < 0 and "stock_movements"."order_id" is null
        else false end)
);
--> statement-breakpoint
CREATE TABLE "ended_sessions" (
	"session_id" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"education" text NOT NULL,
	"location" text NOT NULL,
	"phone" text NOT NULL,
	"linked_in" text NOT NULL,
	CONSTRAINT "profiles_linked_in" CHECK ("profiles"."linked_in" like 'https://%linkedin.com/%')
);
--> statement-breakpoint
CREATE TABLE "users" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"role" text DEFAULT 'customer' NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"token_version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (lower(regexp_replace(E'\n ' || email || E'\n ' || name || E'\n ' || _id::text, '([-._@+/,:&()''])', '\1 ', 'g'))) STORED NOT NULL,
	CONSTRAINT "users_identity" UNIQUE("issuer","subject"),
	CONSTRAINT "users_role" CHECK ("users"."role" in ('customer', 'admin')),
	CONSTRAINT "users_deleted" CHECK ("users"."deleted_at" is null
        or ("users"."disabled_at" is not null and "users"."role" = 'customer' and not "users"."email_verified")),
	CONSTRAINT "users_email_lower" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"old_secret_id" uuid,
	"old_secret_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"disabled_why" text,
	CONSTRAINT "webhook_endpoints_old_secret" CHECK (num_nonnulls("webhook_endpoints"."old_secret_id", "webhook_endpoints"."old_secret_until") in (0, 2)),
	CONSTRAINT "webhook_endpoints_disabled" CHECK ("webhook_endpoints"."disabled_why" is null or "webhook_endpoints"."disabled_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"order_id" uuid,
	"position" bigserial NOT NULL,
	"type" text NOT NULL,
	"payload" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"status" integer,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"given_up_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_messages_end" CHECK (num_nonnulls("webhook_messages"."delivered_at", "webhook_messages"."given_up_at") <= 1)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users__id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_review_id_reviews__id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_parts" ADD CONSTRAINT "batch_parts_batch_id_batches__id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_parts" ADD CONSTRAINT "batch_parts_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_created_by_users__id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_created_by_users__id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_lines" ADD CONSTRAINT "delivery_lines_delivery_id_deliveries__id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_lines" ADD CONSTRAINT "delivery_lines_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spec_fields" ADD CONSTRAINT "spec_fields_kind_kinds_slug_fk" FOREIGN KEY ("kind") REFERENCES "public"."kinds"("slug") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "mail_queue" ADD CONSTRAINT "mail_queue_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "part_index" ADD CONSTRAINT "part_index_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parts" ADD CONSTRAINT "parts_kind_fkey" FOREIGN KEY ("kind") REFERENCES "public"."kinds"("name") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_uploaded_by_users__id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_intent_id_payments_intent_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payments"("intent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_requested_by_users__id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "picture_files" ADD CONSTRAINT "picture_files_queue_id_picture_queue__id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."picture_queue"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "picture_queue" ADD CONSTRAINT "picture_queue_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "picture_queue" ADD CONSTRAINT "picture_queue_batch_id_batches__id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "picture_queue" ADD CONSTRAINT "picture_queue_created_by_users__id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_places" ADD CONSTRAINT "queue_places_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_places" ADD CONSTRAINT "queue_places_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_part_id_parts__id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."parts"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_refund_id_refunds__id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_delivery_line_id_delivery_lines__id_fk" FOREIGN KEY ("delivery_line_id") REFERENCES "public"."delivery_lines"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_user_id_users__id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_endpoint_id_webhook_endpoints__id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_order_id_orders__id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_log_user" ON "audit_log" USING btree ("user_id","_id") WHERE "audit_log"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_part" ON "audit_log" USING btree ("part_id","_id") WHERE "audit_log"."part_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_order" ON "audit_log" USING btree ("order_id","_id") WHERE "audit_log"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_review" ON "audit_log" USING btree ("review_id","_id") WHERE "audit_log"."review_id" is not null;--> statement-breakpoint
CREATE INDEX "batch_parts_part" ON "batch_parts" USING btree ("part_id");--> statement-breakpoint
CREATE INDEX "batches_created" ON "batches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "deliveries_by_created" ON "deliveries" USING btree ("created_at","_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_day" ON "deliveries" USING btree ("expected_on","_id");--> statement-breakpoint
CREATE INDEX "deliveries_search" ON "deliveries" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "delivery_lines_open" ON "delivery_lines" USING btree ("part_id") WHERE "delivery_lines"."received" + "delivery_lines"."canceled" < "delivery_lines"."quantity";--> statement-breakpoint
CREATE INDEX "account_user" ON "identity"."account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_user" ON "identity"."session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verification_identifier" ON "identity"."verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "mail_queue_due" ON "mail_queue" USING btree ("next_attempt_at") WHERE "mail_queue"."sent_at" is null and "mail_queue"."given_up_at" is null;--> statement-breakpoint
CREATE INDEX "mail_queue_given_up" ON "mail_queue" USING btree ("given_up_at") WHERE "mail_queue"."given_up_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_queue_recipient" ON "mail_queue" USING btree ("recipient","created_at","_id");--> statement-breakpoint
CREATE INDEX "mail_queue_order" ON "mail_queue" USING btree ("order_id") WHERE "mail_queue"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_user" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_created" ON "orders" USING btree ("created_at","_id");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","_id");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at","part_id","quantity","total_price","refunded_cents");--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("paid_at","_id") WHERE "orders"."status" = 'paid';--> statement-breakpoint
CREATE INDEX "orders_status_quantity" ON "orders" USING btree ("status","quantity","_id");--> statement-breakpoint
CREATE INDEX "orders_by_total" ON "orders" USING btree ("total_price","_id");--> statement-breakpoint
CREATE INDEX "orders_by_quantity" ON "orders" USING btree ("quantity","_id");--> statement-breakpoint
CREATE INDEX "orders_by_product" ON "orders" USING btree (lower("product"),"_id");--> statement-breakpoint
CREATE INDEX "orders_by_email" ON "orders" USING btree ("email","_id");--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_image" ON "orders" USING btree ("image");--> statement-breakpoint
CREATE INDEX "orders_holds" ON "orders" USING btree ("hold_expires_at") WHERE "orders"."hold_expires_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_hold_limits" ON "orders" USING btree ("user_id","hold_limit_at") WHERE "orders"."hold_limit_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_networks" ON "orders" USING btree ("network") WHERE "orders"."network" is not null;--> statement-breakpoint
CREATE INDEX "hosted_pictures_name" ON "hosted_pictures" USING btree ("name");--> statement-breakpoint
CREATE INDEX "part_index_words" ON "part_index" USING gin ("words") WHERE "part_index"."is_on_sale";--> statement-breakpoint
CREATE INDEX "part_index_kind" ON "part_index" USING btree ("kind","price","part_id");--> statement-breakpoint
CREATE INDEX "part_index_search" ON "part_index" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "parts_name" ON "parts" USING btree (lower("name")) WHERE "parts"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "parts_sku" ON "parts" USING btree (lower("sku")) WHERE "parts"."sku" <> '' and "parts"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "parts_gtin" ON "parts" USING btree ("gtin") WHERE "parts"."gtin" <> '' and "parts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "parts_mpn" ON "parts" USING btree (lower("mpn")) WHERE "parts"."mpn" <> '';--> statement-breakpoint
CREATE INDEX "parts_position" ON "parts" USING btree ("position") WHERE "parts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "parts_by_price" ON "parts" USING btree ("price","_id") WHERE "parts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "parts_by_created" ON "parts" USING btree ("created_at","_id") WHERE "parts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "parts_image" ON "parts" USING btree ("image");--> statement-breakpoint
CREATE INDEX "parts_kind" ON "parts" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "pictures_uploaded" ON "pictures" USING btree ("uploaded_by","created_at");--> statement-breakpoint
CREATE INDEX "pictures_created" ON "pictures" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "pictures_content" ON "pictures" USING btree ("content");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id") WHERE "payments"."status" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_succeeded" ON "payments" USING btree ("order_id") WHERE "payments"."status" = 'succeeded';--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_received" ON "payments" USING btree ("received_at","intent_id") WHERE "payments"."received_at" is not null;--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("checked_at") WHERE "payments"."status" = 'open';--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "refunds_given" ON "refunds" USING btree ("given_at","_id") WHERE "refunds"."given_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_sent_back" ON "refunds" USING btree ("sent_back_at","_id") WHERE "refunds"."sent_back_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_unsettled" ON "refunds" USING btree ("checked_at") WHERE "refunds"."state" in ('requested', 'pending');--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "picture_queue_file" ON "picture_queue" USING btree ("part_id","content") WHERE "picture_queue"."content" <> '' and "picture_queue"."added_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "picture_queue_address" ON "picture_queue" USING btree ("part_id","address") WHERE "picture_queue"."address" <> '';--> statement-breakpoint
CREATE INDEX "picture_queue_due" ON "picture_queue" USING btree ("place","created_at") WHERE "picture_queue"."added_at" is null and "picture_queue"."given_up_at" is null;--> statement-breakpoint
CREATE INDEX "picture_queue_taken" ON "picture_queue" USING btree ("taken_until") WHERE "picture_queue"."taken_until" is not null;--> statement-breakpoint
CREATE INDEX "picture_queue_added" ON "picture_queue" USING btree ("added_at") WHERE "picture_queue"."added_at" is not null;--> statement-breakpoint
CREATE INDEX "picture_queue_given_up" ON "picture_queue" USING btree ("given_up_at") WHERE "picture_queue"."given_up_at" is not null;--> statement-breakpoint
CREATE INDEX "picture_queue_batch" ON "picture_queue" USING btree ("batch_id") WHERE "picture_queue"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "queue_places_part" ON "queue_places" USING btree ("part_id","turn");--> statement-breakpoint
CREATE INDEX "queue_places_offered" ON "queue_places" USING btree ("offer_ends_at") WHERE "queue_places"."offered_at" is not null;--> statement-breakpoint
CREATE INDEX "reviews_part" ON "reviews" USING btree ("part_id","created_at","_id") WHERE "reviews"."part_id" is not null;--> statement-breakpoint
CREATE INDEX "reviews_created" ON "reviews" USING btree ("created_at","_id");--> statement-breakpoint
CREATE INDEX "reviews_by_ratings" ON "reviews" USING btree ("ratings","_id");--> statement-breakpoint
CREATE INDEX "reviews_user" ON "reviews" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "reviews_search" ON "reviews" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "search_vocabulary_similar" ON "search_vocabulary" USING gist ("word" gist_trgm_ops);--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "stock_movements_part" ON "stock_movements" USING btree ("part_id","_id");--> statement-breakpoint
CREATE INDEX "stock_movements_order" ON "stock_movements" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "stock_movements_place" ON "stock_movements" USING btree ("place_id") WHERE "stock_movements"."place_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stock_sold_once" ON "stock_movements" USING btree ("order_id") WHERE "stock_movements"."type" = 'sell';--> statement-breakpoint
CREATE INDEX "stock_movements_delivery" ON "stock_movements" USING btree ("delivery_line_id") WHERE "stock_movements"."delivery_line_id" is not null;--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree ("email","_id");--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at","_id");--> statement-breakpoint
CREATE INDEX "users_admins" ON "users" USING btree ("email","_id") WHERE "users"."role" = 'admin';--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "webhook_messages_log" ON "webhook_messages" USING btree ("endpoint_id","position");--> statement-breakpoint
CREATE INDEX "webhook_messages_due" ON "webhook_messages" USING btree ("endpoint_id","next_attempt_at") WHERE "webhook_messages"."delivered_at" is null and "webhook_messages"."given_up_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_messages_order" ON "webhook_messages" USING btree ("order_id","endpoint_id") WHERE "webhook_messages"."delivered_at" is null and "webhook_messages"."given_up_at" is null;--> statement-breakpoint
CREATE VIEW "public"."part_pictures" AS (
  select _id as part_id, 0 as place, image, image_alt as alt from parts
  union all select _id, place::int, picture ->> 'image', picture ->> 'alt'
  from parts, jsonb_array_elements(more_pictures) with ordinality more(picture, place));
--> statement-breakpoint
-- All functions and triggers of the database, as they are today: the one place to read them.
-- Migrations carry them to a database: the initial one has this text, a later one the statements that it changes.
-- `triggers.test.ts` fails while a migrated database and this file differ. Rules that one row can prove are CHECK
-- constraints in `schema/`.

-- Append-only tables ------------------------------------------------------------------------------------------------

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER stock_movements_append_only BEFORE UPDATE OR DELETE ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER orders_never_removed BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refunds_never_removed BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- TRUNCATE fires no trigger of a row.
CREATE TRIGGER stock_movements_never_emptied BEFORE TRUNCATE ON stock_movements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refunds_never_emptied BEFORE TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Stock -------------------------------------------------------------------------------------------------------------

-- Stock changes only by a line in stock_movements. This trigger adds the line to the part's counters, whose CHECK
-- constraints refuse what is not there. An order holds all of its units or none.
CREATE FUNCTION apply_stock_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  booked integer;
  part_state text;
BEGIN
  UPDATE parts SET on_hand = on_hand + NEW.on_hand_delta, reserved = reserved + NEW.reserved_delta
    WHERE _id = NEW.part_id RETURNING state INTO part_state;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such part: %', NEW.part_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF NEW.type = 'hold' AND part_state = 'draft' THEN
    RAISE EXCEPTION 'part % is a draft', NEW.part_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_no_draft';
  END IF;
  IF NEW.delivery_line_id IS NOT NULL THEN
    UPDATE delivery_lines SET received = received + NEW.on_hand_delta
      WHERE _id = NEW.delivery_line_id AND part_id = NEW.part_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'line % of a delivery brings no part %', NEW.delivery_line_id, NEW.part_id
        USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;
  IF NEW.order_id IS NOT NULL AND NEW.reserved_delta <> 0 THEN
    SELECT quantity INTO booked FROM orders WHERE _id = NEW.order_id AND part_id = NEW.part_id;
    SELECT coalesce(sum(reserved_delta), 0) INTO held FROM stock_movements WHERE order_id = NEW.order_id;
    IF booked IS NULL OR held NOT IN (0, booked) THEN
      RAISE EXCEPTION 'order % would hold % units', NEW.order_id, held
        USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_order_hold';
    END IF;
  END IF;
  IF NEW.place_id IS NOT NULL AND (SELECT sum(reserved_delta) FROM stock_movements WHERE place_id = NEW.place_id) <> (
    SELECT coalesce(sum(quantity), 0) FROM queue_places
    WHERE _id = NEW.place_id AND part_id = NEW.part_id AND offered_at IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'place %: the offer and the ledger differ', NEW.place_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_offer';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER stock_movements_apply AFTER INSERT ON stock_movements
  FOR EACH ROW EXECUTE FUNCTION apply_stock_movement();

-- Nothing but apply_stock_movement (trigger depth 2) writes the counters.
CREATE FUNCTION guard_stock_counters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.on_hand <> 0 OR NEW.reserved <> 0 THEN
      RAISE EXCEPTION 'a new part starts with no stock; receive it by stock_movements'
        USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF (NEW.on_hand, NEW.reserved) IS DISTINCT FROM (OLD.on_hand, OLD.reserved) AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'stock changes only by stock_movements' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER parts_guard_stock BEFORE INSERT OR UPDATE ON parts
  FOR EACH ROW EXECUTE FUNCTION guard_stock_counters();

-- What a line of a delivery has received, only the ledger says (trigger depth 2), and what was ordered is frozen.
CREATE FUNCTION guard_delivery_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.received <> 0 THEN
      RAISE EXCEPTION 'a new line has received nothing' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF (NEW.delivery_id, NEW.part_id, NEW.quantity) IS DISTINCT FROM (OLD.delivery_id, OLD.part_id, OLD.quantity)
    OR (NEW.received <> OLD.received AND pg_trigger_depth() < 2) THEN
    RAISE EXCEPTION 'goods are received only by stock_movements' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER delivery_lines_guard BEFORE INSERT OR UPDATE ON delivery_lines
  FOR EACH ROW EXECUTE FUNCTION guard_delivery_line();

-- Orders ------------------------------------------------------------------------------------------------------------

-- An order's status follows the table in contracts/orders.ts, and what was booked and paid is frozen. An unpaid order
-- takes a new price only while nobody can pay the old one: without a hold and without an open payment. Refunds alone
-- (trigger depth 2) change what was given back; one that a bank sends back makes the order what it was before.
CREATE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.part_id, NEW.quantity) IS DISTINCT FROM (OLD.user_id, OLD.part_id, OLD.quantity)
    OR (OLD.transaction_id IS NOT NULL AND NEW.transaction_id IS DISTINCT FROM OLD.transaction_id) THEN
    RAISE EXCEPTION 'order %: what was booked and paid is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.price, NEW.total_price) IS DISTINCT FROM (OLD.price, OLD.total_price) AND (
    OLD.status <> 'unpaid' OR NEW.status <> 'unpaid' OR OLD.hold_expires_at IS NOT NULL
    OR EXISTS (SELECT FROM payments WHERE order_id = OLD._id AND status = 'open')
  ) THEN
    RAISE EXCEPTION 'order %: its price is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.refunded_cents <> OLD.refunded_cents AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'order %: money goes back only by refunds', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status <> OLD.status AND NEW.refunded_cents >= OLD.refunded_cents AND (OLD.status, NEW.status) NOT IN (
    ('unpaid', 'paid'), ('unpaid', 'deleted'), ('paid', 'shipped'), ('paid', 'refunded'), ('shipped', 'refunded')
  ) THEN
    RAISE EXCEPTION 'order % can not go from % to %', OLD._id, OLD.status, NEW.status
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_guard BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();

-- The number is on receipts: an order keeps it for good.
CREATE TRIGGER orders_keep_number BEFORE UPDATE OF number ON orders
  FOR EACH ROW WHEN (NEW.number IS DISTINCT FROM OLD.number) EXECUTE FUNCTION refuse_change();

-- An unpaid order remembers when its last hold ended, and forgets it when it is held again, paid or deleted.
CREATE FUNCTION note_hold_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.hold_ended_at := CASE
    WHEN NEW.status <> 'unpaid' OR NEW.hold_expires_at IS NOT NULL THEN NULL
    WHEN OLD.hold_expires_at IS NOT NULL THEN least(OLD.hold_expires_at, now())
    ELSE OLD.hold_ended_at
  END;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_note_hold_end BEFORE UPDATE OF hold_expires_at, status ON orders
  FOR EACH ROW EXECUTE FUNCTION note_hold_end();

-- At commit, order, ledger and payments agree: an order with a hold has its units reserved; a paid one has sold them
-- and has a payment of its total.
CREATE FUNCTION check_order_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o orders%ROWTYPE;
  held bigint;
  sold bigint;
BEGIN
  SELECT * INTO o FROM orders WHERE _id = NEW._id;
  SELECT coalesce(sum(reserved_delta), 0), count(*) FILTER (WHERE type = 'sell') INTO held, sold
    FROM stock_movements WHERE order_id = NEW._id;
  IF held <> (CASE WHEN o.hold_expires_at IS NULL THEN 0 ELSE o.quantity END) THEN
    RAISE EXCEPTION 'order %: the hold and the ledger differ', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_hold_in_ledger';
  END IF;
  IF (o.transaction_id IS NOT NULL) <> (sold = 1) THEN
    RAISE EXCEPTION 'order %: paid and sold differ', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_sold_in_ledger';
  END IF;
  IF o.transaction_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM payments WHERE intent_id = o.transaction_id AND order_id = o._id
      AND amount = o.total_price::bigint * 100 AND status = 'succeeded'
  ) THEN
    RAISE EXCEPTION 'order %: paid without a payment of its total', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_paid_in_payments';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER orders_check_ledger AFTER INSERT OR UPDATE ON orders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_order_ledger();

-- What happens to an order is told to the webhooks that want it, by a message in the same transaction. It names nobody.
CREATE FUNCTION tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE
    WHEN TG_OP = 'INSERT' THEN 'order.booked'
    WHEN NEW.refunded_cents > OLD.refunded_cents THEN 'order.refunded'
    WHEN NEW.refunded_cents < OLD.refunded_cents THEN 'order.refund_failed'
    WHEN NEW.status = 'deleted' THEN 'order.canceled'
    ELSE 'order.' || NEW.status END;
BEGIN
  INSERT INTO webhook_messages (endpoint_id, order_id, type, payload)
    SELECT _id, NEW._id, event, json_build_object(
      'type', event, 'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', json_build_object('_id', NEW._id, 'number', NEW.number, 'status', NEW.status, 'partId', NEW.part_id,
        'product', NEW.product, 'quantity', NEW.quantity, 'price', NEW.price, 'totalPrice', NEW.total_price,
        'refunded', trim_scale(NEW.refunded_cents / 100.0), 'carrier', NEW.carrier,
        'trackingNumber', NEW.tracking_number))
    FROM webhook_endpoints WHERE disabled_at IS NULL AND event = ANY (events);
  RETURN NULL;
END $$;

CREATE TRIGGER orders_tell_booked AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION tell_webhooks();
CREATE TRIGGER orders_tell_change AFTER UPDATE OF status, refunded_cents ON orders
  FOR EACH ROW WHEN ((OLD.status, OLD.refunded_cents) IS DISTINCT FROM (NEW.status, NEW.refunded_cents))
  EXECUTE FUNCTION tell_webhooks();

-- Payments ----------------------------------------------------------------------------------------------------------

-- An accountant asks on which day money came: the row says when a payment first got there.
CREATE FUNCTION date_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IN ('succeeded', 'unmatched') THEN
    NEW.received_at := coalesce(NEW.received_at, now());
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payments_date BEFORE INSERT OR UPDATE OF status ON payments
  FOR EACH ROW EXECUTE FUNCTION date_payment();

-- At commit, money that no order could take goes back or went back: nobody keeps it unseen.
CREATE FUNCTION check_unmatched_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM refunds WHERE intent_id = NEW.intent_id) THEN
    RAISE EXCEPTION 'payment %: no order took it, and no refund of it is recorded', NEW.intent_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_unmatched_refunded';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER payments_check_unmatched AFTER INSERT OR UPDATE OF status ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'unmatched')
  EXECUTE FUNCTION check_unmatched_payment();

-- Refunds -----------------------------------------------------------------------------------------------------------

-- The provider moves a refund forward only, and what was requested is frozen.
CREATE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.intent_id, NEW.cause, NEW.amount, NEW.restock, NEW.reason, NEW.requested_by, NEW.idempotency_key, NEW.request_hash)
    IS DISTINCT FROM
      (OLD.intent_id, OLD.cause, OLD.amount, OLD.restock, OLD.reason, OLD.requested_by, OLD.idempotency_key, OLD.request_hash)
    OR (OLD.provider_id IS NOT NULL AND NEW.provider_id IS DISTINCT FROM OLD.provider_id) THEN
    RAISE EXCEPTION 'refund %: what was asked for is frozen', OLD._id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state <> OLD.state AND array_position(ARRAY['requested', 'pending', 'succeeded', 'failed'], NEW.state)
    < array_position(ARRAY['requested', 'pending', 'succeeded', 'failed'], OLD.state) THEN
    RAISE EXCEPTION 'refund % can not go from % to %', OLD._id, OLD.state, NEW.state
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER refunds_guard BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();

-- The row says when the provider took a refund, and when a bank sent it back. One that the provider never took has
-- moved no money.
CREATE FUNCTION date_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state IN ('pending', 'succeeded') THEN
    NEW.given_at := coalesce(NEW.given_at, now());
  END IF;
  IF NEW.state = 'failed' AND NEW.given_at IS NOT NULL THEN
    NEW.sent_back_at := coalesce(NEW.sent_back_at, now());
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER refunds_date BEFORE INSERT OR UPDATE OF state ON refunds
  FOR EACH ROW EXECUTE FUNCTION date_refund();

-- The refunds of a payment stay within what was paid, and their units within what was booked. The refunded_cents of the
-- order that it paid is their sum by construction, and an order whose whole payment went back is refunded, until a bank
-- sends a refund back.
CREATE FUNCTION apply_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  p payments%ROWTYPE;
  o orders%ROWTYPE;
  promised bigint;
  given bigint;
  units bigint;
BEGIN
  SELECT * INTO p FROM payments WHERE intent_id = NEW.intent_id;
  -- this lock puts the refunds of one order one after the other
  SELECT * INTO o FROM orders WHERE _id = p.order_id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount) FILTER (WHERE state <> 'failed'), 0),
      coalesce(sum(amount) FILTER (WHERE state IN ('pending', 'succeeded')), 0),
      coalesce(sum(restock) FILTER (WHERE state <> 'failed'
        OR EXISTS (SELECT FROM stock_movements m WHERE m.refund_id = r._id)), 0)
    INTO promised, given, units FROM refunds r WHERE r.intent_id = NEW.intent_id;
  -- an admin refunds what paid an order; what no order could take goes back by itself
  IF (p.status <> 'unmatched' AND o.transaction_id IS DISTINCT FROM p.intent_id)
    OR NEW.cause = (CASE WHEN p.status = 'unmatched' THEN 'admin' ELSE 'unmatched_payment' END) THEN
    RAISE EXCEPTION 'payment %: it is %, so there is no refund of cause %', p.intent_id, p.status, NEW.cause
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_of_paid';
  END IF;
  IF given > p.amount OR (NEW.state = 'requested' AND promised > p.amount) THEN
    RAISE EXCEPTION 'payment %: % cents would be given back', p.intent_id, promised
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_paid';
  END IF;
  IF units > o.quantity THEN
    RAISE EXCEPTION 'order %: % units would be restocked', o._id, units
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_within_booked';
  END IF;
  UPDATE orders SET refunded_cents = given, status = CASE
      WHEN given = total_price::bigint * 100 THEN 'refunded'
      WHEN status <> 'refunded' THEN status
      WHEN shipped_at IS NULL THEN 'paid'
      ELSE 'shipped' END
    WHERE _id = o._id AND transaction_id = p.intent_id AND refunded_cents <> given;
  RETURN NULL;
END $$;

CREATE TRIGGER refunds_apply AFTER INSERT OR UPDATE OF state ON refunds
  FOR EACH ROW EXECUTE FUNCTION apply_refund();

-- At commit, a refund that the provider took has put its units back, in one line of its order's part; no other has.
CREATE FUNCTION check_refund_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r refunds%ROWTYPE;
  restocked bigint;
  strange bigint;
BEGIN
  IF TG_TABLE_NAME = 'refunds' THEN
    SELECT * INTO r FROM refunds WHERE _id = NEW._id;
  ELSE
    SELECT * INTO r FROM refunds WHERE _id = NEW.refund_id;
  END IF;
  SELECT coalesce(sum(m.on_hand_delta), 0), count(*) FILTER (WHERE m.order_id <> o._id OR m.part_id <> o.part_id)
    INTO restocked, strange FROM stock_movements m JOIN payments p ON p.intent_id = r.intent_id
      JOIN orders o ON o._id = p.order_id WHERE m.refund_id = r._id;
  IF strange > 0 OR restocked NOT IN (0, r.restock)
    OR (r.state = 'requested' AND restocked > 0)
    OR (r.state IN ('pending', 'succeeded') AND restocked <> r.restock) THEN
    RAISE EXCEPTION 'refund %: restocked and the ledger differ', r._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_restocked_in_ledger';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER refunds_check_ledger AFTER INSERT OR UPDATE ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_refund_ledger();
CREATE CONSTRAINT TRIGGER stock_movements_check_refund AFTER INSERT ON stock_movements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.refund_id IS NOT NULL) EXECUTE FUNCTION check_refund_ledger();

-- Users -------------------------------------------------------------------------------------------------------------

-- A shop keeps an admin who can act: one with the role, a verified e-mail, and not disabled. The check runs at commit,
-- one transaction at a time: of two admins who take each other's rights at once, the second is refused.
CREATE FUNCTION keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('keep_an_admin'));
  IF NOT EXISTS (SELECT FROM users WHERE role = 'admin' AND email_verified AND disabled_at IS NULL) THEN
    RAISE EXCEPTION 'the last admin can not be lost'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_last_admin';
  END IF;
  RETURN NULL;
END $$;

-- It does not look at email_verified: a provider that takes its word about an address back must not lock an admin out.
CREATE CONSTRAINT TRIGGER users_keep_an_admin AFTER UPDATE OF role, disabled_at ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.role = 'admin' AND OLD.email_verified AND OLD.disabled_at IS NULL
    AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION keep_an_admin();
CREATE CONSTRAINT TRIGGER users_keep_an_admin_row AFTER DELETE ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.role = 'admin' AND OLD.email_verified AND OLD.disabled_at IS NULL)
  EXECUTE FUNCTION keep_an_admin();

-- An API key acts for an admin: it goes with the role, with a block and with the account.
CREATE FUNCTION end_keys_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM api_keys WHERE user_id = NEW._id;
  RETURN NULL;
END $$;

CREATE TRIGGER users_end_keys AFTER UPDATE OF role, disabled_at ON users
  FOR EACH ROW WHEN (OLD.role = 'admin' AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION end_keys_of_user();

-- Orders and reviews follow their user's address, whichever way it changes.
CREATE FUNCTION follow_user_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  UPDATE reviews SET email = NEW.email WHERE user_id = NEW._id AND email <> NEW.email;
  RETURN NULL;
END $$;

CREATE TRIGGER users_follow_address AFTER UPDATE OF email ON users
  FOR EACH ROW WHEN (OLD.email <> NEW.email) EXECUTE FUNCTION follow_user_address();

-- A deleted user gets no order, review or profile. One that is inserted during the deletion waits for it here.
CREATE FUNCTION refuse_deleted_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE _id = NEW.user_id AND deleted_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user %: the account is deleted', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_not_deleted';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER orders_refuse_deleted_user BEFORE INSERT ON orders
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER profiles_refuse_deleted_user BEFORE INSERT ON profiles
  FOR EACH ROW EXECUTE FUNCTION refuse_deleted_user();
CREATE TRIGGER reviews_refuse_deleted_user BEFORE INSERT ON reviews
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_deleted_user();

-- Reviews -----------------------------------------------------------------------------------------------------------

-- A review needs a verified address; without a paid order, a user writes one a day, and one that its author removed
-- counts. The lock of the author's row makes the second of two reviews at once wait, and then count the first.
CREATE FUNCTION guard_review() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_verified boolean;
BEGIN
  SELECT email_verified INTO is_verified FROM users WHERE _id = NEW.user_id FOR NO KEY UPDATE;
  NEW.bought_here := EXISTS (SELECT FROM orders WHERE user_id = NEW.user_id AND status IN ('paid', 'shipped'));
  IF TG_OP = 'UPDATE' THEN
    NEW.bought_here := NEW.bought_here OR OLD.bought_here;
    RETURN NEW;
  END IF;
  IF is_verified IS NOT TRUE THEN
    RAISE EXCEPTION 'user %: reviews need a verified address', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reviews_verified';
  END IF;
  IF NOT NEW.bought_here AND EXISTS (
    SELECT FROM reviews WHERE user_id = NEW.user_id AND created_at > now() - interval '1 day'
  ) THEN
    RAISE EXCEPTION 'user %: one review a day without a paid order', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reviews_one_a_day';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER reviews_within_rules BEFORE INSERT OR UPDATE OF review ON reviews
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION guard_review();

-- The restock queue -------------------------------------------------------------------------------------------------

-- Who joins has a confirmed address, and wishes more units than are free: at least the smallest order. A place keeps its
-- customer, part and turn; an offer keeps its units. The part's lock comes before that of any of its places: joining,
-- leaving and offering go one after the other.
CREATE FUNCTION guard_queue_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW._id, NEW.user_id, NEW.part_id, NEW.turn) IS DISTINCT FROM (OLD._id, OLD.user_id, OLD.part_id, OLD.turn)
      OR (OLD.offered_at IS NOT NULL
        AND (NEW.quantity, NEW.offered_at) IS DISTINCT FROM (OLD.quantity, OLD.offered_at)) THEN
      RAISE EXCEPTION 'place %: whose it is, and what was offered, is frozen', OLD._id
        USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.quantity = OLD.quantity THEN
      RETURN NEW;
    END IF;
  ELSIF NEW.offered_at IS NOT NULL THEN
    RAISE EXCEPTION 'a place begins without an offer' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM FROM users WHERE _id = NEW.user_id AND email_verified AND disabled_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user %: the queue needs a verified address', NEW.user_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_places_verified';
  END IF;
  PERFORM FROM parts WHERE _id = NEW.part_id AND deleted_at IS NULL AND state = 'on sale'
    AND minimum_order_quantity <= NEW.quantity AND on_hand - reserved < NEW.quantity FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'part %: there is no waiting for % units', NEW.part_id, NEW.quantity
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_places_sold_out';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER queue_places_guard BEFORE INSERT OR UPDATE ON queue_places
  FOR EACH ROW EXECUTE FUNCTION guard_queue_place();

-- An offer sets its units aside on the ledger; the end of its place gives them back, whichever way it ends.
CREATE FUNCTION set_offer_aside() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO stock_movements (part_id, place_id, type, reserved_delta)
      VALUES (NEW.part_id, NEW._id, 'offer', NEW.quantity);
  ELSE
    INSERT INTO stock_movements (part_id, place_id, type, reserved_delta, reason)
      VALUES (OLD.part_id, OLD._id, 'withdraw', -OLD.quantity,
        CASE WHEN OLD.offer_ends_at <= now() THEN 'offer expired' END);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER queue_places_offered AFTER UPDATE OF offered_at ON queue_places
  FOR EACH ROW WHEN (OLD.offered_at IS NULL AND NEW.offered_at IS NOT NULL) EXECUTE FUNCTION set_offer_aside();
CREATE TRIGGER queue_places_ended AFTER DELETE ON queue_places
  FOR EACH ROW WHEN (OLD.offered_at IS NOT NULL) EXECUTE FUNCTION set_offer_aside();

-- Offers free units of a part to the first who are served whole by them. What nobody waits for stays on open sale.
CREATE FUNCTION offer_units(of_part uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free integer;
  smallest integer;
  place record;
BEGIN
  SELECT on_hand - reserved, minimum_order_quantity INTO free, smallest FROM parts
    WHERE _id = of_part AND deleted_at IS NULL AND state = 'on sale' FOR NO KEY UPDATE;
  FOR place IN SELECT _id, quantity FROM queue_places
    WHERE part_id = of_part AND offered_at IS NULL AND quantity BETWEEN smallest AND free ORDER BY turn
  LOOP
    EXIT WHEN free < smallest;
    CONTINUE WHEN place.quantity > free;
    UPDATE queue_places SET offered_at = now() WHERE _id = place._id AND offered_at IS NULL;
    IF FOUND THEN
      free := free - place.quantity;
    END IF;
  END LOOP;
END $$;

-- At commit, what the transaction freed in the end is offered: it still has the part's lock, so nobody comes first. The
-- argument names the column of the part.
CREATE FUNCTION offer_freed_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM offer_units((to_jsonb(NEW) ->> TG_ARGV[0])::uuid);
  RETURN NULL;
END $$;

-- Bookings free nothing, and pay nothing.
CREATE CONSTRAINT TRIGGER stock_movements_offer AFTER INSERT ON stock_movements
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.on_hand_delta > NEW.reserved_delta)
  EXECUTE FUNCTION offer_freed_units('part_id');
CREATE CONSTRAINT TRIGGER parts_offer AFTER UPDATE OF minimum_order_quantity, deleted_at, state ON parts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.minimum_order_quantity < OLD.minimum_order_quantity OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL)
    OR (OLD.state = 'draft' AND NEW.state = 'on sale'))
  EXECUTE FUNCTION offer_freed_units('_id');

-- A customer who is blocked or deleted, or whose address is confirmed no longer, waits for nothing.
CREATE FUNCTION end_places_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM parts WHERE _id IN (SELECT part_id FROM queue_places WHERE user_id = NEW._id)
    ORDER BY _id FOR NO KEY UPDATE;
  DELETE FROM queue_places WHERE user_id = NEW._id;
  RETURN NULL;
END $$;

CREATE TRIGGER users_end_places AFTER UPDATE OF email_verified, disabled_at ON users
  FOR EACH ROW WHEN (OLD.email_verified AND OLD.disabled_at IS NULL
    AND (NOT NEW.email_verified OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION end_places_of_user();

-- At commit, a review of a part names a paid order of its author with that part. What is refunded later stays reviewed.
CREATE FUNCTION check_review_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM orders WHERE _id = NEW.order_id AND part_id = NEW.part_id AND user_id = NEW.user_id
    AND status IN ('paid', 'shipped') FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'review %: its author did not buy the part', NEW._id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reviews_of_purchase';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER reviews_check_purchase AFTER INSERT OR UPDATE OF part_id, order_id, user_id ON reviews
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.part_id IS NOT NULL)
  EXECUTE FUNCTION check_review_purchase();

-- A part has the count and the sum of the stars of its shown reviews.
CREATE FUNCTION rate_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.hidden_at IS NULL AND OLD.removed_at IS NULL THEN
    UPDATE parts SET rating_count = rating_count - 1, rating_sum = rating_sum - OLD.ratings WHERE _id = OLD.part_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.hidden_at IS NULL AND NEW.removed_at IS NULL THEN
    UPDATE parts SET rating_count = rating_count + 1, rating_sum = rating_sum + NEW.ratings WHERE _id = NEW.part_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER reviews_rate_part AFTER INSERT OR UPDATE OF part_id, ratings, hidden_at, removed_at OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION rate_part();

-- What visitors see -------------------------------------------------------------------------------------------------

-- Every change of what visitors see adds a row that all processes read, and outdates the cached responses of its topic.
-- NOTIFY would not do: a pooler delivers no notifications. The topic is the trigger's argument, for further tables.
-- A change of a part's figures alone (stock, sales, stars) also says of which part: pages without it stay.
CREATE FUNCTION count_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_NARGS = 2 THEN
    INSERT INTO catalogue_changes (topic, part_id) VALUES (TG_ARGV[0], NEW._id);
  -- a version tells commits apart: a transaction that changes every part counts once
  ELSIF coalesce(current_setting('ferrite.changed_' || TG_ARGV[0], true), '') = '' THEN
    INSERT INTO catalogue_changes (topic) VALUES (TG_ARGV[0]);
    PERFORM set_config('ferrite.changed_' || TG_ARGV[0], 'yes', true);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER parts_shown_insert AFTER INSERT ON parts
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND NEW.state = 'on sale') EXECUTE FUNCTION count_catalogue_change('parts');
CREATE TRIGGER parts_shown_delete AFTER DELETE ON parts
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND OLD.state = 'on sale') EXECUTE FUNCTION count_catalogue_change('parts');
CREATE TRIGGER parts_shown_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    ((OLD.deleted_at IS NULL AND OLD.state = 'on sale') OR (NEW.deleted_at IS NULL AND NEW.state = 'on sale'))
    AND (OLD.changed_at, OLD.position, OLD.version) IS DISTINCT FROM (NEW.changed_at, NEW.position, NEW.version)
  ) EXECUTE FUNCTION count_catalogue_change('parts');
-- Every change of figures counts but the sale of held units: visitors see what is available, and that stays the same.
CREATE TRIGGER parts_figures_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    NEW.deleted_at IS NULL AND NEW.state = 'on sale'
    AND (OLD.changed_at, OLD.position, OLD.version) IS NOT DISTINCT FROM (NEW.changed_at, NEW.position, NEW.version)
    AND OLD.* IS DISTINCT FROM NEW.*
    AND (OLD.on_hand = NEW.on_hand OR OLD.on_hand - OLD.reserved <> NEW.on_hand - NEW.reserved)
  ) EXECUTE FUNCTION count_catalogue_change('parts', 'figures');
-- The page of the part alone also says how many units are held.
CREATE TRIGGER parts_held_update AFTER UPDATE ON parts
  FOR EACH ROW WHEN (
    OLD.reserved <> NEW.reserved AND OLD.on_hand - OLD.reserved = NEW.on_hand - NEW.reserved
  ) EXECUTE FUNCTION count_catalogue_change('held', 'figures');

-- Reviews of parts are on the pages of these parts alone; their text changes no figure of the part.
CREATE FUNCTION count_part_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_changes (topic, part_id) VALUES ('held', NEW.part_id);
  RETURN NULL;
END $$;

CREATE TRIGGER reviews_of_part_shown AFTER INSERT OR UPDATE ON reviews
  FOR EACH ROW WHEN (NEW.part_id IS NOT NULL) EXECUTE FUNCTION count_part_review();

CREATE TRIGGER reviews_shown_insert AFTER INSERT ON reviews
  FOR EACH ROW WHEN (NEW.part_id IS NULL AND NEW.hidden_at IS NULL AND NEW.removed_at IS NULL)
  EXECUTE FUNCTION count_catalogue_change('reviews');
CREATE TRIGGER reviews_shown_delete AFTER DELETE ON reviews
  FOR EACH ROW WHEN (OLD.part_id IS NULL AND OLD.hidden_at IS NULL AND OLD.removed_at IS NULL)
  EXECUTE FUNCTION count_catalogue_change('reviews');
CREATE TRIGGER reviews_shown_update AFTER UPDATE ON reviews
  FOR EACH ROW WHEN (
    NEW.part_id IS NULL AND OLD.* IS DISTINCT FROM NEW.*
    AND ((OLD.hidden_at IS NULL AND OLD.removed_at IS NULL) OR (NEW.hidden_at IS NULL AND NEW.removed_at IS NULL))
  ) EXECUTE FUNCTION count_catalogue_change('reviews');

-- Names and values of kinds are on pages whose parts did not change: labels, filters, what stands on cards.
CREATE TRIGGER kinds_shown AFTER INSERT OR UPDATE OR DELETE ON kinds
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('parts');
CREATE TRIGGER spec_fields_shown AFTER INSERT OR UPDATE OR DELETE ON spec_fields
  FOR EACH STATEMENT EXECUTE FUNCTION count_catalogue_change('parts');

-- Kinds and specifications ------------------------------------------------------------------------------------------

-- Lower case, without accents and trade marks; letters that no accent makes are spelled out.
CREATE FUNCTION folded(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(replace(translate(
    lower(regexp_replace(normalize(translate(value, '™®©', ''), NFKD), '[\u0300-\u036f]', '', 'g')),
    'øłđı', 'oldi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;

-- The runs of letters and digits of a text.
CREATE FUNCTION runs_of(value text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(left(run[1], 100) ORDER BY place), '{}')
  FROM regexp_matches(folded(value), '[^\s!-/:-@\[-`{-~¡-¿×÷–—‘’“”„…•′″]+', 'g') WITH ORDINALITY runs(run, place)
$$;

CREATE FUNCTION slug_of(kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(nullif(array_to_string(runs_of(kind), '-'), ''), 'kind-' || left(md5(kind), 8))
$$;

-- Does a field take this value?
CREATE FUNCTION spec_fits(field spec_fields, value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE field.type || ' ' || jsonb_typeof(value)
    WHEN 'one string' THEN CASE WHEN field.is_open THEN value #>> '{}' ~ '^\S(.{0,58}\S)?$'
      ELSE field.options @> jsonb_build_array(jsonb_build_object('value', value)) END
    WHEN 'many array' THEN jsonb_array_length(value) BETWEEN 1 AND 50
      AND jsonb_array_length(value) = (SELECT count(DISTINCT each) FROM jsonb_array_elements(value) each
        WHERE jsonb_typeof(each) = 'string' AND CASE WHEN field.is_open THEN each #>> '{}' ~ '^\S(.{0,58}\S)?$'
          ELSE field.options @> jsonb_build_array(jsonb_build_object('value', each)) END)
    WHEN 'number number' THEN (value #>> '{}')::numeric BETWEEN field.min::numeric AND field.max::numeric
    WHEN 'yes boolean' THEN true
    ELSE false END
$$;

-- A kind has one spelling, and a new one is made by the first part of it. A part states only what its kind has fields
-- for. The lock makes an edit of the kind's fields wait for the part, and then look at it. A part without a picture of
-- its own shows the drawing of its kind: an image that is the drawing of any kind, or the neutral one, becomes it. The
-- first of its other pictures takes the place of a drawing, and each picture is there once.
CREATE FUNCTION describe_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known kinds%ROWTYPE;
  wrong text;
BEGIN
  SELECT * INTO known FROM kinds WHERE name = NEW.kind OR slug_of(NEW.kind) IN (slug, slug_of(name))
    ORDER BY name <> NEW.kind, slug_of(name) <> slug_of(NEW.kind) LIMIT 1 FOR KEY SHARE;
  IF NOT FOUND THEN
    INSERT INTO kinds (name, slug) VALUES (NEW.kind, slug_of(NEW.kind)) ON CONFLICT DO NOTHING;
    SELECT * INTO known FROM kinds WHERE slug = slug_of(NEW.kind) FOR KEY SHARE;
  END IF;
  NEW.kind := known.name;
  SELECT s.key INTO wrong FROM jsonb_each(NEW.specs) s
    LEFT JOIN spec_fields f ON f.kind = known.slug AND f.key = s.key
    WHERE spec_fits(f, s.value) IS NOT TRUE LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'part %: %: % is nothing that a % has', NEW._id, wrong, NEW.specs -> wrong, known.name
      USING ERRCODE = 'check_violation', CONSTRAINT = 'parts_specs_of_kind';
  END IF;
  IF NEW.image LIKE '/images/dddddddddddddddddddd%' AND (NEW.image = '/images/dddddddddddddddddddd0000-960.webp'
      OR EXISTS (SELECT FROM kinds WHERE drawing = NEW.image)) THEN
    NEW.image := known.drawing;
  END IF;
  IF NEW.more_pictures <> '[]' THEN
    IF NEW.image LIKE '/images/dddddddddddddddddddd%'
      AND NEW.more_pictures -> 0 ->> 'image' NOT LIKE '/images/dddddddddddddddddddd%' THEN
      NEW.image := NEW.more_pictures -> 0 ->> 'image';
      NEW.image_alt := NEW.more_pictures -> 0 ->> 'alt';
    END IF;
    SELECT coalesce(jsonb_agg(picture ORDER BY place), '[]') INTO NEW.more_pictures FROM (
      SELECT DISTINCT ON (picture ->> 'image') picture, place
      FROM jsonb_array_elements(NEW.more_pictures) WITH ORDINALITY more(picture, place)
      WHERE picture ->> 'image' <> NEW.image ORDER BY picture ->> 'image', place) once;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER parts_describe BEFORE INSERT OR UPDATE OF kind, specs, image, more_pictures ON parts
  FOR EACH ROW EXECUTE FUNCTION describe_part();

-- The parts of an edited kind are indexed anew. Those that show its drawing show the one that it has now.
CREATE FUNCTION describe_parts_of_kind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE parts SET specs = specs, image = CASE image WHEN OLD.drawing THEN NEW.drawing ELSE image END
    WHERE kind = NEW.name;
  RETURN NULL;
END $$;

CREATE TRIGGER kinds_describe_parts AFTER UPDATE ON kinds FOR EACH ROW
  WHEN ((OLD.slug, OLD.other_names, OLD.drawing) IS DISTINCT FROM (NEW.slug, NEW.other_names, NEW.drawing))
  EXECUTE FUNCTION describe_parts_of_kind();

-- The parts that state an edited field are checked and indexed anew: what they state can not be taken from under them.
-- Values that a closed choice gets besides its others change none of them.
CREATE FUNCTION describe_parts_of_field() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others text[] := '{options,position,promoted,better,group}';
BEGIN
  PERFORM FROM kinds WHERE slug = OLD.kind FOR UPDATE;
  IF TG_OP = 'DELETE' OR to_jsonb(OLD) - others <> to_jsonb(NEW) - others
      OR (OLD.is_open AND OLD.options <> NEW.options)
      OR EXISTS (SELECT FROM jsonb_array_elements(OLD.options) had
        WHERE had NOT IN (SELECT jsonb_array_elements(NEW.options))) THEN
    UPDATE parts SET specs = specs WHERE kind = (SELECT name FROM kinds WHERE slug = OLD.kind) AND specs ? OLD.key;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER spec_fields_describe_parts
  AFTER UPDATE OF kind, key, label, type, unit, min, max, options, is_open, is_facet, is_searched, is_card OR DELETE ON spec_fields
  FOR EACH ROW EXECUTE FUNCTION describe_parts_of_field();

-- The shop's own rules read the fields of the first release: they are renamed, not removed.
CREATE TRIGGER spec_fields_keep_builtin BEFORE DELETE ON spec_fields
  FOR EACH ROW WHEN (OLD.is_builtin) EXECUTE FUNCTION refuse_change();

-- Search engines learn when the page of a part changed. Bookings change none of these columns.
CREATE FUNCTION date_part_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := now();
  RETURN NEW;
END $$;

CREATE TRIGGER parts_date_change
  BEFORE UPDATE OF name, kind, brand, sku, mpn, gtin, specs, image, image_alt, more_pictures, description,
    minimum_order_quantity, price, state, deleted_at
  ON parts FOR EACH ROW EXECUTE FUNCTION date_part_change();

-- The index of parts ------------------------------------------------------------------------------------------------

-- What part_index says of a part. Every text that has words is a segment, and its first letter says which: n the name and
-- the part numbers, k the kind, o what the kind is also called, v a value, u a number with its unit or another spelling, f and
-- g both of what the part fits. All are folded and cut at once, because a call for each would cost more than the rest. A
-- segment is found by its runs of letters and digits, by neighbours joined ('RTX 4070' by rtx4070) and by all of them joined;
-- o, u and g by the last alone: 'cpu cooler' does not make a cooler a cpu. Names and values are also found by the letters of
-- a model ('HDR400' by hdr, '9800X3D' by x3d), numbers of the card without their unit. A name of the kind that another value
-- of a stated choice has is not the part's: 'ssd' finds no hard drive. What the part fits and words of the description count
-- least, and are looked at last; the former are there with a mark too ('-am5'), which no description has.
CREATE FUNCTION part_index_of(part parts) RETURNS part_index LANGUAGE sql STABLE AS $$
  WITH kind AS (SELECT * FROM kinds WHERE name = part.kind),
  stated AS (
    SELECT f.key, f.label, f.type, f.unit, f.options, f.is_facet, f.is_searched, f.is_card,
      CASE f.type WHEN 'yes' THEN CASE value WHEN 'true' THEN 'yes' ELSE 'no' END ELSE value END AS value
    FROM kind k JOIN spec_fields f ON f.kind = k.slug AND part.specs ? f.key, jsonb_array_elements_text(
      CASE jsonb_typeof(part.specs -> f.key) WHEN 'array' THEN part.specs -> f.key
        ELSE jsonb_build_array(part.specs -> f.key) END) value),
  facets AS (
    SELECT key || '=' || value AS facet FROM stated WHERE is_facet
    UNION ALL SELECT 'brand=' || part.brand WHERE part.brand <> ''),
  texts AS (
    SELECT 'n' || part.brand || ' ' || part.name AS segment
    UNION ALL SELECT 'n' || number FROM unnest(ARRAY[part.sku, part.mpn, part.gtin, ltrim(part.gtin, '0')]) number
    UNION ALL SELECT 'k' || k.name FROM kind k
    UNION ALL SELECT 'o' || other FROM kind k, unnest(k.other_names) other
      WHERE NOT EXISTS (SELECT FROM stated s
        CROSS JOIN jsonb_array_elements(s.options) option
        WHERE s.type = 'one' AND option ->> 'value' <> s.value
          AND (lower(option ->> 'value') = lower(other) OR option -> 'also' ? lower(other)))
    UNION ALL SELECT CASE
        WHEN type = 'number' THEN CASE WHEN is_searched THEN 'u' ELSE 'g' END
          || value || CASE unit WHEN '' THEN label ELSE unit END
        ELSE CASE WHEN is_searched THEN 'v' ELSE 'f' END || CASE type WHEN 'yes' THEN label ELSE value END END
      FROM stated WHERE type <> 'yes' OR value = 'yes'
    UNION ALL SELECT 'u' || value FROM stated WHERE is_searched AND type = 'number' AND unit <> '' AND is_card
    UNION ALL SELECT CASE WHEN is_searched THEN 'u' ELSE 'g' END || jsonb_array_elements_text(jsonb_path_query_array(options,
        '$[*] ? (@.value == $value).also[*]', jsonb_build_object('value', value)))
      FROM stated WHERE type IN ('one', 'many')),
  segments AS (
    SELECT left(segment, 1) AS mode, ARRAY(SELECT left(run[1], 100)
      FROM regexp_matches(substr(segment, 2), '[^\s!-/:-@\[-`{-~¡-¿×÷–—‘’“”„…•′″]+', 'g') run) AS runs
    FROM unnest(string_to_array(folded((SELECT string_agg(segment, '¶') FROM texts)), '¶')) segment),
  words AS (
    SELECT mode, unnest(runs) AS word FROM segments WHERE mode IN ('n', 'k', 'v', 'f')
    UNION ALL SELECT mode, (regexp_match(run, '^(?:([[:alpha:]]{3,})[0-9]+|[0-9]{3,}([[:alpha:]].+))$'))[place]
      FROM segments, unnest(runs) run, generate_series(1, 2) place WHERE mode IN ('n', 'v')
    UNION ALL SELECT mode, runs[i] || runs[i + 1] FROM segments, generate_series(1, cardinality(runs) - 1) i
      WHERE mode IN ('n', 'k', 'v', 'f')
    UNION ALL SELECT mode, left(array_to_string(runs, ''), 200) FROM segments
    UNION ALL SELECT 'k', '@' || translate(slug, '''\', '') FROM kind),
  marked AS (SELECT * FROM words UNION ALL SELECT mode, '-' || word FROM words WHERE mode IN ('f', 'g') AND word <> '')
  SELECT part._id, part.deleted_at IS NULL AND part.state = 'on sale', k.slug, part.price, part.sold_90,
    coalesce((SELECT array_agg(facet ORDER BY facet COLLATE "C") FROM facets), '{}'),
    (SELECT string_agg('''' || word || CASE mode WHEN 'n' THEN ''':1A' WHEN 'k' THEN ''':2B' WHEN 'o' THEN ''':2B'
        WHEN 'f' THEN ''':4' WHEN 'g' THEN ''':4' ELSE ''':3C' END, ' ') FROM marked WHERE word <> '')::tsvector
      || setweight(to_tsvector('simple', folded(part.description)), 'D'),
    lower(regexp_replace(concat(E'\n ', part.name, E'\n ', part.kind, E'\n ', part.description, E'\n ', part._id,
      E'\n ', part.brand, E'\n ', part.sku, E'\n ', part.mpn, E'\n ', part.gtin), '([-._@+/,:&()''])', '\1 ', 'g'))
  FROM kind k
$$;

CREATE FUNCTION index_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO part_index AS had SELECT made.* FROM part_index_of(NEW) made
    ON CONFLICT (part_id) DO UPDATE SET (is_on_sale, kind, price, sold_90, facets, words, search) =
      (excluded.is_on_sale, excluded.kind, excluded.price, excluded.sold_90, excluded.facets, excluded.words, excluded.search)
    WHERE had.* IS DISTINCT FROM excluded.*;
  RETURN NULL;
END $$;

-- Bookings change none of these columns, and pay nothing.
CREATE TRIGGER parts_index
  AFTER INSERT OR UPDATE OF name, kind, brand, sku, mpn, gtin, description, specs, price, state, deleted_at, sold_90 ON parts
  FOR EACH ROW EXECUTE FUNCTION index_part();
