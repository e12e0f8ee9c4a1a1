import type { Pool } from 'pg'
import { transaction } from './store.ts'

// Bodies are json, not jsonb, because jsonb would reorder the fields.
const tables = `
create schema if not exists sandbox_stripe;
create table if not exists sandbox_stripe.objects (
  id text primary key,
  kind text not null,
  seq bigint generated always as identity,
  created integer not null,
  body json not null,
  hidden json not null
);
create index if not exists objects_of_kind on sandbox_stripe.objects (kind, seq);
create index if not exists objects_challenged on sandbox_stripe.objects ((hidden->>'challenge'))
  where hidden->>'challenge' is not null;
create index if not exists objects_ending on sandbox_stripe.objects (((hidden->>'endsAt')::bigint))
  where hidden->>'endsAt' is not null;
create table if not exists sandbox_stripe.keys (
  key text primary key,
  path text not null,
  fingerprint text not null,
  status integer not null,
  body text not null,
  created timestamptz not null default now()
);
create table if not exists sandbox_stripe.deliveries (
  id bigint generated always as identity primary key,
  event text not null,
  state text not null,
  attempts integer not null default 0,
  due timestamptz not null
);
create index if not exists deliveries_waiting on sandbox_stripe.deliveries (due) where state = 'waiting';
create table if not exists sandbox_stripe.controls (
  name text primary key,
  value json not null,
  remaining integer not null
);
`

/** Creates what does not exist yet; safe when several processes start at once. */
export async function createSchema(pool: Pool): Promise<void> {
  await transaction(pool, async (db) => {
    await db.query("select pg_advisory_xact_lock(hashtext('sandbox_stripe'))")
    await db.query(tables)
    await db.query("delete from sandbox_stripe.keys where created < now() - interval '1 day'")
  })
}
