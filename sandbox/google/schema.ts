import { generateKeyPair, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { transaction } from '#sandbox/transaction.ts'

const tables = `
create schema if not exists sandbox_google;
create table if not exists sandbox_google.accounts (
  sub text primary key,
  email text not null unique,
  name text not null,
  email_verified boolean not null,
  used_at timestamptz not null default now()
);
create table if not exists sandbox_google.artifacts (
  model text not null,
  id text not null,
  payload jsonb not null,
  expires_at timestamptz,
  primary key (model, id)
);
create index if not exists artifacts_of_grant on sandbox_google.artifacts ((payload->>'grantId'));
create table if not exists sandbox_google.signing_key (
  single boolean primary key default true check (single),
  jwk json not null
);
`

/** Creates what is not there yet; safe when several processes start at once. */
export async function createSchema(pool: Pool): Promise<void> {
  await transaction(pool, async (db) => {
    await db.query("select pg_advisory_xact_lock(hashtext('sandbox_google'))")
    await db.query(tables)
    await db.query('delete from sandbox_google.artifacts where expires_at < now()')
  })
}

export type SigningKey = webcrypto.JsonWebKey & { kid: string; use: string }

async function keptKey(pool: Pool): Promise<SigningKey | undefined> {
  const { rows } = await pool.query<{ jwk: SigningKey }>(
    'select jwk from sandbox_google.signing_key',
  )
  return rows[0]?.jwk
}

/** The RSA key that signs ID tokens: made once, then the same for every process and after every restart. */
export async function signingKey(pool: Pool): Promise<SigningKey> {
  const kept = await keptKey(pool)
  if (kept) return kept
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'sandbox', use: 'sig', alg: 'RS256' }
  await pool.query(
    'insert into sandbox_google.signing_key (jwk) values ($1) on conflict do nothing',
    [JSON.stringify(jwk)],
  )
  return (await keptKey(pool)) ?? jwk
}
