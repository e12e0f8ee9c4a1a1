/** Retention: deletes rows that are no longer needed, above all personal data. */
import { sql } from 'drizzle-orm'
import { deletedUserName } from '#contracts/account.ts'
import type { Database } from './client.ts'

/** How many days mails stay, in the database and in the outbox. */
export const mailDays = 90

/** How long a deleted unpaid order stays. `refuse_removal` in the database uses the same period. */
const deletedOrder = sql`o.deleted_at < now() - interval '90 days'`
/** Rows to delete in one run, so that none blocks others for long. */
const atOnce = 1000

/** The deletions, each with the reason for its period. */
const served = {
  // a session's access token is valid for an hour
  ended_sessions: sql`delete from ended_sessions where ended_at < now() - interval '2 hours'`,
  session: sql`delete from identity.session where expires_at < now()`,
  verification: sql`delete from identity.verification where expires_at < now()`,
  // a sent or given-up mail matters only while a customer may ask about it
  mail_queue: sql`delete from mail_queue where _id in (
    select _id from mail_queue
    where coalesce(sent_at, given_up_at) < now() - make_interval(days => ${mailDays})
      or recipient like ${`%${deletedUserName.domain}`} and created_at < now() - interval '1 day'
    limit ${atOnce})`,
  // a customer without an offer for a year loses the place
  queue_places: sql`delete from queue_places where offered_at is null and created_at < now() - interval '1 year'`,
  // an abandoned hold counts for a day, an offer for three, and both until the customer's pause
  // ends
  abandoned_holds: sql`delete from abandoned_holds where pause_until < now()
    and created_at < now() - case when cause like 'offer %' then interval '3 days' else interval '1 day' end`,
  // a canceled payment took no money, and can take none
  payments: sql`delete from payments where intent_id in (
    select p.intent_id from payments p join orders o on o.checkout_id = p.checkout_id where p.status = 'canceled' and ${deletedOrder}
    limit ${atOnce})`,
  // an order that nobody paid, without a hold or an admin's action; a mail or message about it has
  // to be deleted first
  orders: sql`delete from orders where _id in (
    select o._id from orders o where ${deletedOrder}
      and not exists (select from payments p where p.checkout_id = o.checkout_id)
      and not exists (select from mail_queue m where m.order_id = o._id)
      and not exists (select from audit_log a where a.order_id = o._id and a.actor_id is not null and a.actor_id <> o.user_id)
      and not exists (select from webhook_messages w where w.order_id = o._id)
      and not exists (select from abandoned_holds h where h.order_id = o._id)
      and not exists (select from reviews r where r.order_id = o._id)
    limit ${atOnce})`,
  // what was asked and what became of it stays; who asked, and the words, leave three years after
  ticket_messages: sql`update ticket_messages set text = '' where _id in (
    select m._id from ticket_messages m join tickets t on t._id = m.ticket_id
    where t.ended_at < now() - interval '3 years' and m.text <> '' limit ${atOnce})`,
  ticket_pictures: sql`delete from ticket_pictures where ticket_id in (
    select _id from tickets where ended_at < now() - interval '3 years')`,
  tickets: sql`update tickets set name = ${deletedUserName.name}, email = 'former.' || left(_id::text, 8) || ${deletedUserName.domain}
    where _id in (select _id from tickets where ended_at < now() - interval '3 years' and email not like ${`%${deletedUserName.domain}`} limit ${atOnce})`,
  // never verified, never used: no order, review or queue place, no login, and no admin's action
  // about the account
  users: sql`delete from users where _id in (
    select u._id from users u join identity.user i on i.id = u.subject
    where not u.email_verified and u.role = 'customer' and u.disabled_at is null and u.created_at < now() - interval '30 days'
      and not exists (select from identity.session s where s.user_id = i.id and s.expires_at > now())
      and not exists (select from orders o where o.user_id = u._id)
      and not exists (select from reviews r where r.user_id = u._id)
      and not exists (select from tickets t where t.user_id = u._id)
      and not exists (select from queue_places q where q.user_id = u._id)
      and not exists (select from profiles p where p.user_id = u._id)
      and not exists (select from audit_log a where a.user_id = u._id)
      and not exists (select from audit_log a where a.actor_id = u._id)
      and not exists (select from api_keys k where k.user_id = u._id)
    limit ${atOnce})`,
  // a deleted account without orders, reviews or audit actions
  deleted_users: sql`delete from users where _id in (
    select u._id from users u where u.deleted_at < now() - interval '30 days'
      and not exists (select from orders o where o.user_id = u._id)
      and not exists (select from reviews r where r.user_id = u._id)
      and not exists (select from tickets t where t.user_id = u._id)
      and not exists (select from audit_log a where a.user_id = u._id)
      and not exists (select from audit_log a where a.actor_id = u._id)
    limit ${atOnce})`,
  // the provider's account of one of these users, or one that never reached the shop
  accounts: sql`delete from identity.user where id in (
    select i.id from identity.user i
    where not i.email_verified and i.created_at < now() - interval '30 days'
      and not exists (select from identity.session s where s.user_id = i.id and s.expires_at > now())
      and not exists (select from users u where u.subject = i.id)
    limit ${atOnce})`,
  // an import or a bulk edit is undone soon or never
  batches: sql`delete from batches where created_at < now() - interval '90 days'`,
  // a picture's address already on a part is not fetched again; a file is recognised by its picture
  picture_queue: sql`delete from picture_queue where added_at < now() - interval '1 day' and address = ''
    or given_up_at < now() - interval '30 days'`,
  // a word that no visitor has searched for in 90 days needs no explanation
  search_log: sql`delete from search_log where day < current_date - 90`,
  // a receiver that missed a message fetches the order itself
  webhook_messages: sql`delete from webhook_messages
    where coalesce(delivered_at, given_up_at) < now() - interval '30 days'`,
  // the card provider retries an event for three days
  webhook_events: sql`delete from webhook_events where received_at < now() - interval '30 days'`,
}

/**
 * @returns how many rows were deleted, by table
 * @throws the first failure, after all other deletions
 */
export async function applyRetention(db: Database): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  const failures: unknown[] = []
  for (const [table, statement] of Object.entries(served)) {
    try {
      gone[table] = (await db.execute(statement)).rowCount ?? 0
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return gone
}
