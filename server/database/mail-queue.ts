import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { isDeletedUser } from '#contracts/account.ts'
import { invoices } from '#server/database/schema/invoices.ts'
import { mailQueue } from '#server/database/schema/mail.ts'
import { users } from '#server/database/schema/users.ts'
import type { Database, Queryable, Transaction } from './client.ts'
import type { MailTemplateName } from './mail-templates.ts'
import { hour, minute, retrySchedule } from './retries.ts'

export type QueuedMail = {
  template: MailTemplateName
  recipient: string
  subject: string
  text: string
  html: string
  /** The order that the mail is about. */
  orderId?: string
  /** The paper that goes with the mail. */
  invoiceId?: string | null
  /** Identifies the cause: a second mail with the same cause is dropped. */
  dedupe?: string
}

/**
 * Queues a mail in the caller's transaction, so that it is sent if and only if the transaction
 * commits. Skips deleted accounts.
 */
export async function queueMail(db: Queryable, mail: QueuedMail): Promise<void> {
  if (isDeletedUser(mail.recipient)) return
  await db.insert(mailQueue).values(mail).onConflictDoNothing()
}

/** The owner's address. @param ownerMail OWNER_MAIL; null for the first admin's address */
export async function findOwnerMail(
  db: Queryable,
  ownerMail: string | null,
): Promise<string | null> {
  if (ownerMail) return ownerMail
  const [admin] = await db
    .select({ email: users.email })
    .from(users)
    .where(sql`${users.role} = 'admin' and ${users.emailVerified} and ${users.disabledAt} is null`)
    .orderBy(asc(users.createdAt), asc(users._id))
    .limit(1)
  return admin?.email ?? null
}

/**
 * Queues a mail to the shop's owner in the caller's transaction, once for each cause.
 * @param ownerMail OWNER_MAIL; null for the first admin's address
 */
export async function queueOwnerMail(
  db: Queryable,
  ownerMail: string | null,
  mail: Omit<QueuedMail, 'recipient'> & { dedupe: string },
): Promise<void> {
  const recipient = await findOwnerMail(db, ownerMail)
  if (recipient) await queueMail(db, { ...mail, recipient })
}

/** The last attempt is five days after the first. */
const retries = retrySchedule([
  ...[1, 5, 30, 120].map((minutes) => minutes * minute),
  ...Array<number>(10).fill(12 * hour),
])

/**
 * The next attempt comes after the current one has ended: a mail may wait for the papers of four
 * others before its own is made.
 */
const nextAttemptAt = (attempts: SQL | number) => sql`greatest(${retries.nextAttemptAt(attempts)},
  case when invoice_id is not null then now() + interval '6 minutes' end)`
const nextAttempt = sql`attempts = attempts + 1, last_error = null, next_attempt_at = ${nextAttemptAt(sql`attempts + 1`)}`
const dueMailColumns = sql`_id, recipient, subject, text, html, invoice_id as "invoiceId"`

export type DueMail = {
  _id: string
  recipient: string
  subject: string
  text: string
  html: string
  invoiceId: string | null
}

/**
 * Takes the next due mail, if any, and postpones its next attempt: a process that dies while
 * sending delays a mail but never loses it. Urgent mails go first. Among equally urgent ones,
 * mailboxes take turns (`turn`).
 */
export async function takeDueMail(db: Database) {
  const result = await db.execute<DueMail>(sql`
    update mail_queue set ${nextAttempt}
    where _id in (
      select _id from mail_queue where sent_at is null and given_up_at is null and next_attempt_at <= now()
      order by urgency, turn limit 1 for update skip locked
    )
    returning ${dueMailColumns}`)
  return result.rows[0]
}

/** Takes this mail before it is due, unless it was sent or given up, or is being sent. */
export async function takeMail(db: Database, id: string) {
  const result = await db.execute<DueMail>(sql`
    update mail_queue set ${nextAttempt}
    where _id::text = ${id} and sent_at is null and given_up_at is null
      and (last_error is not null or next_attempt_at <= now())
    returning ${dueMailColumns}`)
  return result.rows[0]
}

/**
 * Mails still to be retried that failed twice or have waited for a quarter of an hour: the oldest
 * hundred.
 */
export async function findStuckMail(db: Queryable) {
  const { rows } = await db.execute<{
    _id: string
    template: string
    recipient: string
    attempts: number
    lastError: string | null
    createdAt: string
  }>(sql`
    select _id, template, recipient, attempts, last_error as "lastError",
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as "createdAt"
    from mail_queue
    where sent_at is null and given_up_at is null and (attempts > 1 or created_at < now() - interval '15 minutes')
    order by created_at limit 100`)
  return rows
}

export async function markSent(db: Database, id: string): Promise<void> {
  await db
    .update(mailQueue)
    .set({ sentAt: sql`now()`, lastError: null, givenUpAt: null, dismissedAt: null })
    .where(eq(mailQueue._id, id))
}

/**
 * Records why a mail failed. Gives it up after a final failure or five days of attempts.
 * @returns whether the mail is given up
 */
export async function markFailed(
  db: Database,
  id: string,
  { message, isFinal }: { message: string; isFinal: boolean },
): Promise<boolean> {
  const [failed] = await db
    .update(mailQueue)
    .set({
      lastError: message.slice(0, 500),
      givenUpAt: retries.givenUpAt(mailQueue.attempts, isFinal),
    })
    .where(and(eq(mailQueue._id, id), isNull(mailQueue.sentAt)))
    .returning({ givenUpAt: mailQueue.givenUpAt })
  return failed?.givenUpAt != null
}

const shownInList = 50
const listed = {
  _id: mailQueue._id,
  subject: mailQueue.subject,
  recipient: mailQueue.recipient,
  orderId: mailQueue.orderId,
  attempts: mailQueue.attempts,
  lastError: mailQueue.lastError,
  createdAt: mailQueue.createdAt,
  nextAttemptAt: mailQueue.nextAttemptAt,
  givenUpAt: mailQueue.givenUpAt,
}
const waits = sql`${mailQueue.sentAt} is null and ${mailQueue.givenUpAt} is null`
const isGivenUp = sql`${mailQueue.givenUpAt} is not null and ${mailQueue.dismissedAt} is null`

/** Counts the mails that were given up and not dismissed. */
export const countGivenUp = (db: Queryable): Promise<number> => db.$count(mailQueue, isGivenUp)

/** Waiting mails, oldest first, and given-up mails that are not dismissed, newest first. */
export async function readUnsentMail(db: Queryable) {
  const read = async (which: SQL, order: SQL) => ({
    total: await db.$count(mailQueue, which),
    rows: await db.select(listed).from(mailQueue).where(which).orderBy(order).limit(shownInList),
  })
  const [waiting, givenUp] = await Promise.all([
    read(waits, asc(mailQueue.createdAt)),
    read(isGivenUp, desc(mailQueue.givenUpAt)),
  ])
  return { waiting, givenUp }
}

/**
 * Locks an unsent mail for an admin; undefined when it was sent or is being sent.
 * @param id any text
 */
export async function lockUnsentMail(tx: Transaction, id: string) {
  const [mail] = await tx
    .select(listed)
    .from(mailQueue)
    .where(
      sql`${mailQueue._id}::text = ${id} and ${mailQueue.sentAt} is null
        and (${mailQueue.lastError} is not null or ${mailQueue.givenUpAt} is not null)`,
    )
    .for('update')
  return mail
}

/**
 * Resets the attempts of a locked mail, with this recipient. @returns the mail; the caller makes
 * the first attempt
 */
export async function retakeMail(tx: Transaction, id: string, recipient: string): Promise<DueMail> {
  const result = await tx.execute<DueMail>(sql`
    update mail_queue set recipient = ${recipient}, attempts = 1, last_error = null, given_up_at = null,
      dismissed_at = null, next_attempt_at = ${nextAttemptAt(1)}
    where _id = ${id} returning ${dueMailColumns}`)
  return result.rows[0] as DueMail
}

/**
 * Queues a mail; the caller makes the first attempt.
 * @returns undefined when its mailbox got too many (`bound_mails`)
 */
export async function insertTakenMail(
  db: Queryable,
  mail: QueuedMail,
): Promise<DueMail | undefined> {
  const [dueMail] = await db
    .insert(mailQueue)
    .values({
      ...mail,
      attempts: 1,
      nextAttemptAt: retries.nextAttemptAt(1),
    })
    .returning({
      _id: mailQueue._id,
      recipient: mailQueue.recipient,
      subject: mailQueue.subject,
      text: mailQueue.text,
      html: mailQueue.html,
      invoiceId: mailQueue.invoiceId,
    })
  return dueMail
}

/** Dismisses a locked mail that was given up. */
export async function dismissMail(tx: Transaction, id: string): Promise<void> {
  await tx.update(mailQueue).set({ dismissedAt: sql`now()` }).where(eq(mailQueue._id, id))
}

const shownAtOnce = 100
const mailColumns = {
  _id: mailQueue._id,
  recipient: mailQueue.recipient,
  subject: mailQueue.subject,
  text: mailQueue.text,
  html: mailQueue.html,
  createdAt: mailQueue.createdAt,
  invoiceId: mailQueue.invoiceId,
  /** The number of its paper. */
  paper: sql<
    string | null
  >`(select document ->> 'number' from ${invoices} where _id = ${mailQueue}.invoice_id)`,
}

/**
 * Mails that reset an admin's password: anybody who reads one could take over the admin's account.
 */
const resetsAnAdmin = sql`(${mailQueue.template} = 'reset-password' and exists (
  select from ${users} where ${users.role} = 'admin' and ${users.email} = lower(${mailQueue.recipient})))`

/** The newest mails for the sandbox's mailbox, without mails that reset an admin's password. */
export function recentMail(db: Queryable) {
  return db
    .select(mailColumns)
    .from(mailQueue)
    .where(sql`not ${resetsAnAdmin}`)
    .orderBy(desc(mailQueue.createdAt))
    .limit(shownAtOnce)
}

/** One mail of `recentMail`. @param id any text */
export async function findMail(db: Queryable, id: string) {
  const [mail] = await db
    .select(mailColumns)
    .from(mailQueue)
    .where(sql`${mailQueue._id}::text = ${id} and not ${resetsAnAdmin}`)
  return mail
}
