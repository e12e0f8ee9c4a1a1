import { and, eq, inArray, isNotNull, isNull, ne, notExists, sql } from 'drizzle-orm'
import type { RowCount, UserFilter, UserList, UserSort } from '#contracts/lists.ts'
import type { Caller, ListedUser, Role } from '#contracts/users.ts'
import type { Proof } from '#server/adapters/identity/port.ts'
import type { Database, Queryable, Transaction } from '#server/database/client.ts'
import { countOf, pageOf, type SortKey } from '#server/database/pagination.ts'
import { endedSessions, users } from '#server/database/schema/users.ts'
import { withTimes } from '#server/database/times.ts'
import { AppError, found } from '#server/errors.ts'

export const callerColumns = {
  _id: users._id,
  email: users.email,
  name: users.name,
  role: users.role,
  emailVerified: users.emailVerified,
}

/**
 * The claims of an access token. They do not include the role, which each request reads from the
 * database.
 */
export type AccessClaims = { userId: string; sessionId: string; version: number }

/**
 * Finds the user of an access token; undefined when the user is blocked or the token has ended. The
 * statement is prepared, because every request runs it.
 */
export function findCallerByToken(db: Database) {
  const { placeholder } = sql
  const ended = db
    .select({ one: sql`1` })
    .from(endedSessions)
    .where(eq(endedSessions.sessionId, placeholder('sessionId')))
  const query = db
    .select(callerColumns)
    .from(users)
    .where(
      and(
        eq(users._id, placeholder('userId')),
        eq(users.tokenVersion, placeholder('version')),
        isNull(users.disabledAt),
        notExists(ended),
      ),
    )
    .prepare('find_caller')
  return async (token: AccessClaims): Promise<Caller | undefined> => {
    const [caller] = await query.execute(token)
    return caller
  }
}

/** Finds the users with an address. Addresses are not unique, so there may be several. */
export function findByEmail(db: Queryable, email: string) {
  return db.select(callerColumns).from(users).where(eq(users.email, email))
}

/**
 * The same, and locks the users until the transaction ends. Inserts of rows that refer to them do
 * not wait.
 */
export function lockByEmail(tx: Transaction, email: string) {
  return findByEmail(tx, email).for('no key update')
}

const sorts: Record<UserSort, SortKey> = {
  email: { by: users.email },
  '-email': { by: users.email, down: true },
  newest: { by: users.createdAt, down: true },
  oldest: { by: users.createdAt },
}

const inList = ({ role, blocked }: UserFilter) =>
  and(
    isNull(users.deletedAt),
    role && eq(users.role, role),
    blocked && (blocked === 'yes' ? isNotNull : isNull)(users.disabledAt),
  )

/** Lists a page of users as admins see them, after the user with the id `after`. */
export async function listUsers(
  db: Queryable,
  list: Omit<UserList, 'limit'> & { limit: number },
): Promise<ListedUser[]> {
  const query = { ...list, sort: sorts[list.sort], filter: inList(list) }
  const { where, orderBy } = await pageOf(db, users, query)
  const rows = await db
    .select({
      _id: users._id,
      email: users.email,
      name: users.name,
      role: users.role,
      emailVerified: users.emailVerified,
      createdAt: users.createdAt,
      blockedAt: users.disabledAt,
    })
    .from(users)
    .where(where)
    .orderBy(...orderBy)
    .limit(list.limit)
  return rows.map(withTimes)
}

export const countUsers = (db: Queryable, list: UserFilter): Promise<RowCount> =>
  countOf(db, users, { ...list, sort: sorts[list.sort], filter: inList(list) })

/**
 * Inserts or updates the user of an identity from its ID token. Never changes the role, and never
 * marks a verified address as unverified, because the ID token may be a few minutes old.
 * @throws AppError UNAUTHENTICATED when the account was deleted
 */
export async function upsertFromProof(db: Queryable, proof: Proof) {
  const fresh = { email: proof.email, name: proof.name, emailVerified: proof.emailVerified }
  const stillVerified = sql`${proof.emailVerified} or (${users.emailVerified} and ${users.email} = ${proof.email})`
  const [user] = await db
    .insert(users)
    .values({ issuer: proof.issuer, subject: proof.subject, ...fresh })
    .onConflictDoUpdate({
      target: [users.issuer, users.subject],
      set: { ...fresh, emailVerified: stillVerified },
      // an ID token from before the deletion must not restore a deleted account
      setWhere: isNull(users.deletedAt),
    })
    .returning({ ...callerColumns, tokenVersion: users.tokenVersion, disabledAt: users.disabledAt })
  if (!user) throw new AppError('UNAUTHENTICATED', 'This account was deleted')
  return user
}

export async function isSessionEnded(db: Queryable, sessionId: string): Promise<boolean> {
  const rows = await db
    .select({ sessionId: endedSessions.sessionId })
    .from(endedSessions)
    .where(eq(endedSessions.sessionId, sessionId))
  return rows.length > 0
}

/** Ends the access tokens of a session. */
export async function endSession(db: Queryable, sessionId: string): Promise<void> {
  await db.insert(endedSessions).values({ sessionId }).onConflictDoNothing()
}

type IdentityKey = { issuer: string; subject: string }
const isIdentity = ({ issuer, subject }: IdentityKey) =>
  and(eq(users.issuer, issuer), eq(users.subject, subject))

/** Ends all access tokens of an identity. */
export async function endAllTokens(db: Queryable, identity: IdentityKey): Promise<void> {
  await db
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(isIdentity(identity))
}

/** Finds the identity of a user. */
export async function identityOf(db: Queryable, userId: string): Promise<IdentityKey> {
  const [identity] = await db
    .select({ issuer: users.issuer, subject: users.subject })
    .from(users)
    .where(eq(users._id, userId))
  return found(identity, 'user')
}

/** Finds the user of an identity. */
export async function findByIdentity(db: Queryable, identity: IdentityKey) {
  const [user] = await db.select(callerColumns).from(users).where(isIdentity(identity))
  return user
}

/** Returns the role and status of an identity's user; undefined for an unknown identity. */
export async function accountStatus(db: Queryable, identity: IdentityKey) {
  const [user] = await db
    .select({ role: users.role, disabledAt: users.disabledAt, emailVerified: users.emailVerified })
    .from(users)
    .where(isIdentity(identity))
  return user
}

/** Whether the identity's account is blocked or deleted. */
export async function isBlocked(db: Queryable, identity: IdentityKey): Promise<boolean> {
  return Boolean((await accountStatus(db, identity))?.disabledAt)
}

/** Lists the admins and packers who are not blocked, by address. */
export function listStaff(db: Queryable) {
  return db
    .select({ ...callerColumns, issuer: users.issuer, subject: users.subject })
    .from(users)
    .where(and(ne(users.role, 'customer'), isNull(users.disabledAt)))
    .orderBy(users.email, users._id)
}

/** Whether an account is an admin's or a packer's, blocked or not. */
export async function isStaff(db: Queryable, userId: string): Promise<boolean> {
  const staff = and(eq(users._id, userId), ne(users.role, 'customer'))
  return (await db.$count(users, staff)) > 0
}

export async function setRole(db: Queryable, ids: string[], role: Role): Promise<void> {
  if (ids.length > 0) await db.update(users).set({ role }).where(inArray(users._id, ids))
}

export async function adminExists(db: Queryable): Promise<boolean> {
  const rows = await db
    .select({ _id: users._id })
    .from(users)
    .where(eq(users.role, 'admin'))
    .limit(1)
  return rows.length > 0
}
