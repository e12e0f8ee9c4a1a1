ALTER TABLE "refunds" DROP CONSTRAINT "refunds_cause";--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_cause" CHECK (case "refunds"."cause"
        when 'admin' then num_nulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        when 'customer' then num_nulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        when 'unmatched_payment' then "refunds"."reason" is not null
          and num_nonnulls("refunds"."requested_by", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        when 'provider' then "refunds"."state" <> 'requested'
          and num_nonnulls("refunds"."requested_by", "refunds"."reason", "refunds"."idempotency_key", "refunds"."request_hash") = 0
        else false end);