import type { SessionInfo } from '#contracts/account.ts'
import type { StaffSession } from '#contracts/staff.ts'
import type { Caller } from '#contracts/users.ts'
import type { Identity, SignIn } from '#server/adapters/identity/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { endAllTokens, endSession, identityOf, listStaff } from './store.ts'

type Device = Pick<SessionInfo, 'browser' | 'system' | 'handheld'>

/** The first match wins, because most browsers also name the ones that they imitate. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const wordFor = (table: [RegExp, string][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Reads the browser and the system from a User-Agent header; null for unknown ones. */
export function deviceOf(userAgent: string | null): Device {
  // clients may send headers of any length
  const text = (userAgent ?? '').slice(0, 500)
  return {
    browser: wordFor(browsers, text),
    system: wordFor(systems, text),
    handheld: /\b(iPhone|iPad|Android|Mobile)\b/.test(text),
  }
}

const infoOf = (signIn: SignIn, current: string | null): SessionInfo => ({
  _id: signIn.sessionId,
  ...deviceOf(signIn.userAgent),
  signedInAt: signIn.signedInAt.toISOString(),
  lastSeenAt: signIn.lastSeenAt.toISOString(),
  current: signIn.sessionId === current,
})

export type SessionDeps = { db: Database; identity: Identity }

/**
 * Lists the user's sessions: the current one first, then the most recently used.
 * @param current the session of the request
 */
export async function listSessions(
  { db, identity }: SessionDeps,
  caller: Caller,
  current: string | null,
): Promise<SessionInfo[]> {
  const signIns = await identity.signIns(await identityOf(db, caller._id))
  return (signIns ?? [])
    .toSorted((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime())
    .map((signIn) => infoOf(signIn, current))
    .toSorted((a, b) => Number(b.current) - Number(a.current))
}

/**
 * Ends sessions of a user: their access tokens are refused from now on and cannot be renewed. If
 * the provider does not list sessions, all access tokens end, and devices whose session at the
 * provider continues renew their tokens.
 * @param current the session of the request
 * @param id one session; without it, all except the current one
 * @returns the number of ended sessions
 */
export async function endSessions(
  { db, identity }: SessionDeps,
  caller: Caller,
  current: string | null,
  id?: string,
): Promise<number> {
  const account = await identityOf(db, caller._id)
  const signIns = await identity.signIns(account)
  if (!signIns && id === undefined) {
    await endAllTokens(db, account)
    return 0
  }
  const listed = signIns?.map(({ sessionId }) => sessionId) ?? (current ? [current] : [])
  const ids = listed.filter((each) => (id ? each === id : each !== current))
  // ends access tokens first, then the sessions that could renew them
  for (const each of ids) await endSession(db, each)
  await identity.endSignIns(account, ids)
  return ids.length
}

/** The sessions of all admins and packers, with their owners. */
async function staffSignIns({ db, identity }: SessionDeps) {
  const all = []
  // one after the other: at once, each person would take a database connection
  for (const user of await listStaff(db))
    all.push(...((await identity.signIns(user)) ?? []).map((signIn) => ({ user, signIn })))
  return all
}

/**
 * Lists the sessions of all admins and packers, the most recently used first.
 * @param current the session of the request
 */
export async function listStaffSessions(
  deps: SessionDeps,
  current: string | null,
): Promise<StaffSession[]> {
  const sessions = await staffSignIns(deps)
  return sessions
    .toSorted((a, b) => b.signIn.lastSeenAt.getTime() - a.signIn.lastSeenAt.getTime())
    .map(({ user: { _id: userId, name, email, role }, signIn }) => ({
      ...infoOf(signIn, current),
      ...{ userId, name, email, role },
      network: signIn.ipAddress || null,
    }))
}

/**
 * Ends a session of an admin or a packer: its access tokens are refused from now on.
 * @throws AppError NOT_FOUND for another session, or one that has ended
 */
export async function endStaffSession(
  deps: SessionDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  const { db, identity } = deps
  const session = (await staffSignIns(deps)).find(({ signIn }) => signIn.sessionId === id)
  if (!session) throw new AppError('NOT_FOUND', 'That device is already logged out')
  const { user, signIn } = session
  await db.transaction(async (tx) => {
    await endSession(tx, id)
    const { browser, system } = deviceOf(signIn.userAgent)
    const detail = { device: [browser, system].filter(Boolean).join(', ') }
    await logActions(tx, [{ actor: caller, action: 'session ended', userId: user._id, detail }])
  })
  await identity.endSignIns(user, [id])
}
