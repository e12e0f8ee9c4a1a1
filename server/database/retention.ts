/** Rows that served their time: what nobody needs is not kept, and least of all what is about people. */
import { sql } from 'drizzle-orm'
import type { Database } from './client.ts'

/** So long a mail is kept, in the database and as a file of the outbox. */
export const mailDays = 90

/** How long, and why that long. */
const served = {
  // an access token made from the session lives for an hour
  ended_sessions: sql`delete from ended_sessions where ended_at < now() - interval '2 hours'`,
  session: sql`delete from identity.session where expires_at < now()`,
  verification: sql`delete from identity.verification where expires_at < now()`,
  // what was sent, or given up, is read again only when somebody says that it never came
  mail_queue: sql`delete from mail_queue
    where coalesce(sent_at, given_up_at) < now() - make_interval(days => ${mailDays})`,
  // the card provider delivers an event again for three days
  webhook_events: sql`delete from webhook_events where received_at < now() - interval '30 days'`,
}

/** @returns how many rows went, by table */
export async function applyRetention(db: Database): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const [table, statement] of Object.entries(served)) {
    gone[table] = (await db.execute(statement)).rowCount ?? 0
  }
  return gone
}
