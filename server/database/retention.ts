/** Retention: deletes rows that are not needed any more, above all personal data. */
import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'

/** How long mails stay, in the database and in the outbox. */
export const mailDays = 90

/** The deletions, each with the reason for its time. */
const served = {
  // an access token made from the session lives for an hour
  ended_sessions: sql`delete from ended_sessions where ended_at < now() - interval '2 hours'`,
  session: sql`delete from identity.session where expires_at < now()`,
  verification: sql`delete from identity.verification where expires_at < now()`,
  // a sent or given-up mail matters only while a customer may ask for it
  mail_queue: sql`delete from mail_queue
    where coalesce(sent_at, given_up_at) < now() - make_interval(days => ${mailDays})`,
  // who is offered nothing for a year waits no more
  queue_places: sql`delete from queue_places where offered_at is null and created_at < now() - interval '1 year'`,
  // what was abandoned counts for a day, and until others have gone first
  abandoned_holds: sql`delete from abandoned_holds where created_at < now() - interval '1 day' and pause_until < now()`,
  // an import or a bulk edit is undone soon or never
  batches: sql`delete from batches where created_at < now() - interval '90 days'`,
  // an address that a part has is not fetched again; a file is known by its picture
  picture_queue: sql`delete from picture_queue where added_at < now() - interval '1 day' and address = ''
    or given_up_at < now() - interval '30 days'`,
  // a word that no visitor typed in a season needs no explanation
  search_log: sql`delete from search_log where day < current_date - 90`,
  // who misses a message asks for the order itself
  webhook_messages: sql`delete from webhook_messages
    where coalesce(delivered_at, given_up_at) < now() - interval '30 days'`,
  // the card provider retries an event for three days
  webhook_events: sql`delete from webhook_events where received_at < now() - interval '30 days'`,
}

/** @returns how many rows were deleted, by table */
export async function applyRetention(db: Database): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const [table, statement] of Object.entries(served)) {
    gone[table] = (await db.execute(statement)).rowCount ?? 0
  }
  return gone
}
