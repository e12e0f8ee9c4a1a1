import { desc, eq, sql } from 'drizzle-orm'
import { isFormer } from '#contracts/account.ts'
import type { Database, Queryable } from './client.ts'
import { mailOutbox, users } from './schema.ts'

export type QueuedMail = {
  kind: string
  recipient: string
  subject: string
  text: string
  html: string
  /** A second mail of the same cause is dropped. */
  dedupe?: string
}

/**
 * Puts a mail in the queue, in the caller's transaction: it is sent if and only if that commits. Former customers get
 * none.
 */
export async function queueMail(db: Queryable, mail: QueuedMail): Promise<void> {
  if (isFormer(mail.recipient)) return
  await db.insert(mailOutbox).values(mail).onConflictDoNothing()
}

/** Seconds until the next try, by how many were made: 1 min, 5 min, 30 min, 2 h, then every 12 h. */
const delays = [60, 300, 1_800, 7_200]

const put = sql`attempts = attempts + 1, last_error = null, next_attempt_at = now() + make_interval(secs =>
  coalesce((array[${sql.join(delays, sql`, `)}]::int[])[attempts + 1], 43200))`
const letter = sql`_id, recipient, subject, text, html`

type DueMail = { _id: string; recipient: string; subject: string; text: string; html: string }

/**
 * Takes the mail that is longest due, if any. It is out of the others' way for its next delay, so a process that dies
 * while sending costs time and never a mail.
 */
export async function takeDueMail(db: Database) {
  const taken = await db.execute<DueMail>(sql`
    update mail_outbox set ${put}
    where _id in (
      select _id from mail_outbox where sent_at is null and next_attempt_at <= now()
      order by next_attempt_at limit 1 for update skip locked
    )
    returning ${letter}`)
  return taken.rows[0]
}

/** Takes this mail before its time, unless it is sent or somebody is sending it: those have no failure to show. */
export async function takeMail(db: Database, id: string) {
  const taken = await db.execute<DueMail>(sql`
    update mail_outbox set ${put}
    where _id::text = ${id} and sent_at is null and (last_error is not null or next_attempt_at <= now())
    returning ${letter}`)
  return taken.rows[0]
}

/** Mail that failed twice or lies for a quarter of an hour: the oldest hundred. */
export async function findStuckMail(db: Queryable) {
  const { rows } = await db.execute<{
    _id: string
    kind: string
    recipient: string
    attempts: number
    lastError: string | null
    createdAt: string
  }>(sql`
    select _id, kind, recipient, attempts, last_error as "lastError",
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as "createdAt"
    from mail_outbox where sent_at is null and (attempts > 1 or created_at < now() - interval '15 minutes')
    order by created_at limit 100`)
  return rows
}

export async function markSent(db: Database, id: string): Promise<void> {
  await db
    .update(mailOutbox)
    .set({ sentAt: sql`now()`, lastError: null })
    .where(eq(mailOutbox._id, id))
}

export async function markFailed(db: Database, id: string, error: string): Promise<void> {
  await db
    .update(mailOutbox)
    .set({ lastError: error.slice(0, 500) })
    .where(eq(mailOutbox._id, id))
}

const shownAtOnce = 100
const shown = {
  _id: mailOutbox._id,
  recipient: mailOutbox.recipient,
  subject: mailOutbox.subject,
  text: mailOutbox.text,
  html: mailOutbox.html,
  createdAt: mailOutbox.createdAt,
}

/** Whoever reads such a mail is an admin a moment later. */
const resetsAnAdmin = sql`(${mailOutbox.kind} = 'reset-password' and exists (
  select from ${users} where ${users.role} = 'admin' and ${users.email} = lower(${mailOutbox.recipient})))`

/** The newest mails, for a demonstration that sends none; never one that resets the password of an admin. */
export function recentMail(db: Queryable) {
  return db
    .select(shown)
    .from(mailOutbox)
    .where(sql`not ${resetsAnAdmin}`)
    .orderBy(desc(mailOutbox.createdAt))
    .limit(shownAtOnce)
}

/** One of those mails. @param id anything that was asked for */
export async function findMail(db: Queryable, id: string) {
  const [mail] = await db
    .select(shown)
    .from(mailOutbox)
    .where(sql`${mailOutbox._id}::text = ${id} and not ${resetsAnAdmin}`)
  return mail
}
