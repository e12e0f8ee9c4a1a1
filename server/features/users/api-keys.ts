/** API keys: creating, listing and revoking them, and authenticating requests. */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import {
  type ApiKey,
  type KeyScope,
  keyPrefix,
  keysLimit,
  type MadeKey,
  type NewKey,
} from '#contracts/api-keys.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { apiKeys } from '#server/database/schema/api-keys.ts'
import { users } from '#server/database/schema/users.ts'
import { withTimes } from '#server/database/times.ts'
import { AppError, found } from '#server/errors.ts'
import { queueKeyMade } from '#server/mail/account-mails.ts'
import { callerColumns } from './store.ts'

/** The checksum in a key. It detects mistyped or made-up keys without a database query. */
const checksum = (random: string) => crc32(random).toString(16).padStart(8, '0')
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

function randomKey(): string {
  const random = randomBytes(24).toString('hex')
  return `${keyPrefix}${random}${checksum(random)}`
}

function isWellFormed(key: string): boolean {
  const [, random, sum] = /^ferrite_([0-9a-f]{48})([0-9a-f]{8})$/.exec(key) ?? []
  return random !== undefined && sum === checksum(random)
}

/** The caller of a request with a key. */
export type KeyCaller = { _id: string; scopes: KeyScope[]; caller: Caller }

/**
 * Finds the caller of a key. Undefined for an invalid or expired key, or if its user is not an
 * active admin now. Records the time of use, at most once a minute.
 */
export function findCallerByKey(db: Database) {
  const lives = and(
    eq(apiKeys.hash, sql.placeholder('hash')),
    gt(apiKeys.endsAt, sql`now()`),
    eq(users.role, 'admin'),
    users.emailVerified,
    isNull(users.disabledAt),
  )
  const isUnnoted = sql<boolean>`coalesce(${apiKeys.lastUsedAt} < now() - interval '1 minute', true)`
  const query = db
    .select({
      key: { _id: apiKeys._id, name: apiKeys.name, scopes: apiKeys.scopes, isUnnoted },
      caller: callerColumns,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users._id, apiKeys.userId))
    .where(lives)
    .prepare('find_caller_by_key')
  return async (text: string): Promise<KeyCaller | undefined> => {
    if (!isWellFormed(text)) return undefined
    const [row] = await query.execute({ hash: hashOf(text) })
    if (!row) return undefined
    const { _id, name, scopes } = row.key
    if (row.key.isUnnoted) {
      const unnoted = and(eq(apiKeys._id, _id), isUnnoted)
      await db.update(apiKeys).set({ lastUsedAt: sql`now()` }).where(unnoted)
    }
    return { _id, scopes, caller: { ...row.caller, apiKey: name } }
  }
}

export type KeyDeps = { db: Database; publicUrl: string }

/**
 * Creates a key that acts for the caller. Notifies the caller by mail, because a thief with a
 * stolen session could create keys too.
 * @returns the key, which cannot be read again
 * @throws AppError INVALID with too many keys, FORBIDDEN when the caller has lost admin rights
 *   meanwhile
 */
export async function makeKey(
  { db, publicUrl }: KeyDeps,
  caller: Caller,
  { name, scopes, endsOn }: NewKey,
): Promise<MadeKey> {
  const key = randomKey()
  const start = key.slice(0, keyPrefix.length + 6)
  return db.transaction(async (tx) => {
    // locks the user: a key created while admin rights are removed would survive them
    const isStillAdmin = and(eq(users._id, caller._id), eq(users.role, 'admin'))
    const admins = await tx.select().from(users).where(isStillAdmin).for('no key update')
    if (admins.length === 0) throw new AppError('FORBIDDEN', 'Only admins can do this')
    if ((await tx.$count(apiKeys, eq(apiKeys.userId, caller._id))) >= keysLimit)
      throw new AppError('INVALID', `You have ${keysLimit} keys. Revoke one first.`)
    const endsAt = new Date(Date.parse(endsOn) + 86_400_000)
    const [row] = await tx
      .insert(apiKeys)
      .values({ userId: caller._id, name, start, hash: hashOf(key), scopes, endsAt })
      .returning({ _id: apiKeys._id })
    const { _id } = found(row, 'key')
    const detail = { name, scopes: scopes.join(', '), end: endsOn }
    await logActions(tx, [{ actor: caller, userId: caller._id, action: 'API key made', detail }])
    await queueKeyMade(tx, caller.email, { name, scopes, endsOn }, publicUrl)
    return { acknowledged: true, insertedId: _id, key }
  })
}

/** Lists the keys of all admins, so that every admin sees what programs may do. */
export async function listKeys(db: Database): Promise<ApiKey[]> {
  const rows = await db
    .select({
      _id: apiKeys._id,
      name: apiKeys.name,
      start: apiKeys.start,
      owner: users.email,
      scopes: apiKeys.scopes,
      createdAt: apiKeys.createdAt,
      endsAt: apiKeys.endsAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users._id, apiKeys.userId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys._id))
  return rows.map(withTimes)
}

/** Revokes a key of any admin, effective at the next request. @throws AppError NOT_FOUND */
export async function revokeKey(db: Database, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx.delete(apiKeys).where(eq(apiKeys._id, id)).returning()
    const { userId, name } = found(gone, 'key')
    const detail = { name }
    await logActions(tx, [{ actor: caller, userId, action: 'API key revoked', detail }])
  })
}
