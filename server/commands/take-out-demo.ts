import type pg from 'pg'
import { deletedUserName } from '#contracts/account.ts'
import { chooseDemo, demoOwner, hadSandbox } from '#server/database/demo-content.ts'
import { findViolations } from '#server/database/invariants.ts'
import { StartError } from '#server/errors.ts'

/**
 * One of the owner's parts whose stock sandbox orders changed by shipping. `counted`: an admin has
 * corrected the stock since and should count again.
 */
type Restocked = { name: string; now: number; afterwards: number; counted: boolean }

export type Demo = {
  parts: string[]
  reviews: number
  /** e-mail addresses */
  people: string[]
  orders: string[]
  payments: number
  restocked: Restocked[]
  /** Orders that were paid at Stripe itself; they stay. */
  staying: number
}

async function column<T>(client: pg.ClientBase, query: string): Promise<T[]> {
  const { rows } = await client.query<{ value: T }>(query)
  return rows.map(({ value }) => value)
}

const ofDemoOrder = 'm.order_id in (select _id from demo_orders)'

/** The owner's parts whose counters change when sandbox orders leave the ledger. */
async function findRestocked(client: pg.ClientBase): Promise<Restocked[]> {
  const { rows } = await client.query<Restocked>(
    `select p.name, p.on_hand as now, p.on_hand - sum(m.on_hand_delta) filter (where ${ofDemoOrder})::int as afterwards,
       bool_or(m.type = 'adjust' and m._id > (
         select min(s._id) from stock_movements s join demo_orders d on d._id = s.order_id
           where s.part_id = p._id and s.on_hand_delta <> 0)) as counted
     from parts p join stock_movements m on m.part_id = p._id
     where p._id not in (select _id from demo_parts) group by p._id
     having coalesce(sum(m.on_hand_delta) filter (where ${ofDemoOrder}), 0) <> 0 order by p.name`,
  )
  return rows
}

async function readDemo(client: pg.ClientBase): Promise<Demo> {
  const [payments = 0] = await column<number>(
    client,
    'select count(*)::int as value from payments where checkout_id in (select checkout_id from demo_orders)',
  )
  const [staying = 0] = await column<number>(
    client,
    `select count(*)::int as value from orders where _id not in (select _id from demo_orders)`,
  )
  const [reviews = 0] = await column<number>(
    client,
    'select count(*)::int as value from demo_reviews',
  )
  return {
    parts: await column(client, 'select name as value from demo_parts order by position'),
    reviews,
    people: await column(
      client,
      'select email as value from demo_users where deleted_at is null order by email',
    ),
    orders: await column(
      client,
      'select number as value from demo_orders order by created_at, _id',
    ),
    payments,
    restocked: await findRestocked(client),
    staying,
  }
}

/** Lists what would be removed. Changes nothing. */
export async function listDemo(client: pg.ClientBase): Promise<Demo> {
  await client.query('begin')
  try {
    await chooseDemo(client)
    return await readDemo(client)
  } finally {
    await client.query('rollback')
  }
}

type Reference = { child: string; column: string; parent: string }

/** The foreign keys that refer to a table. */
async function referencesTo(client: pg.ClientBase, table: string): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select k.conrelid::regclass::text as child, quote_ident(c.attname) as column, quote_ident(p.attname) as parent
     from pg_constraint k
       join pg_attribute c on c.attrelid = k.conrelid and c.attnum = k.conkey[1]
       join pg_attribute p on p.attrelid = k.confrelid and p.attnum = k.confkey[1]
     where k.contype = 'f' and k.confrelid = $1::regclass and k.conrelid <> k.confrelid`,
    [table],
  )
  return rows
}

/** Deletes rows and all rows that refer to them. */
async function remove(client: pg.ClientBase, table: string, where: string): Promise<void> {
  for (const { child, column, parent } of await referencesTo(client, table))
    await remove(client, child, `${column} in (select ${parent} from ${table} where ${where})`)
  await client.query(`delete from ${table} where ${where}`)
}

/** Enables or disables the triggers that protect the ledgers; keys and checks stay enabled. */
async function setTriggers(client: pg.ClientBase, state: 'enable' | 'disable'): Promise<void> {
  const tables = await column<string>(
    client,
    `select distinct tgrelid::regclass::text as value from pg_trigger join pg_class c on c.oid = tgrelid
     where not tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  for (const table of tables) await client.query(`alter table ${table} ${state} trigger user`)
}

/**
 * Ends queue places of demo users and for demo parts, while the triggers still update the ledger.
 */
async function endPlaces(client: pg.ClientBase): Promise<void> {
  await client.query(
    `delete from queue_places where user_id in (select _id from demo_users) or part_id in (select _id from demo_parts)`,
  )
  // a table with pending trigger events cannot be altered
  await client.query('set constraints all immediate')
}

/** Numbers of papers go on after those that stay, or begin at one. */
async function resetInvoices(client: pg.ClientBase): Promise<void> {
  await client.query('delete from invoice_counters')
  await client.query(
    'insert into invoice_counters select series, year, max(number) from invoices group by series, year',
  )
}

/** Deletes demo parts; a part with a remaining order is only taken off sale. */
async function removeParts(client: pg.ClientBase): Promise<void> {
  const sold = '_id in (select part_id from orders)'
  // the shop's builds of demo parts; an owner's build of both is no PC without them
  await remove(
    client,
    'builds',
    `user_id is null and string_to_array(regexp_replace(parts, 'x[0-9]+', '', 'g'), ',')::int[]
       && array(select p.number from parts p join demo_parts d on d._id = p._id)`,
  )
  await client.query(
    `update parts set deleted_at = now(), version = version + 1
     where _id in (select _id from demo_parts) and deleted_at is null and ${sold}`,
  )
  await remove(client, 'parts', `_id in (select _id from demo_parts) and not ${sold}`)
}

/**
 * Deletes accounts; a row that the audit log or one of the owner's pictures refers to stays,
 * without a name.
 */
async function removePeople(client: pg.ClientBase): Promise<void> {
  const ids = 'select _id from demo_users'
  for (const table of ['profiles', 'baskets', 'builds', 'machine_parts', 'addresses'])
    await remove(client, table, `user_id in (${ids})`)
  await remove(client, 'mail_queue', 'recipient in (select email from demo_users)')
  await remove(client, 'audit_log', `user_id in (${ids})`)
  await remove(client, 'identity.verification', 'value in (select subject from demo_users)')
  await remove(client, 'identity."user"', 'id in (select subject from demo_users)')
  await client.query(
    `update users set name = case when email = $3 then $4 else $1 end, email = 'former.' || left(_id::text, 8) || $2, email_verified = false,
       role = 'customer', disabled_at = now(), deleted_at = now(), token_version = token_version + 1
     where _id in (${ids})`,
    [deletedUserName.name, deletedUserName.domain, demoOwner, deletedUserName.demoOwner],
  )
  const named = (await referencesTo(client, 'users')).map(
    ({ child, column }) => `exists (select from ${child} n where n.${column} = users._id)`,
  )
  await client.query(
    `delete from users where _id in (${ids}) and not (${named.join(' or ') || 'false'})`,
  )
}

/** Removes the sandboxes' state. A link to the sandbox's Google proves nothing to the real one. */
async function removeSandboxes(client: pg.ClientBase): Promise<void> {
  await client.query(
    `delete from identity.account where provider_id = 'google' and account_id like 'sandbox-%'`,
  )
  if (!(await hadSandbox(client))) return
  await client.query(
    'delete from webhook_events where event_id in (select id from sandbox_stripe.objects)',
  )
  const books = ['objects', 'keys', 'deliveries'].map((name) => `sandbox_stripe.${name}`)
  await client.query(`truncate ${books.join(', ')}`)
}

/** @throws StartError when the shop would be left without an admin */
async function assertOwner(client: pg.ClientBase): Promise<void> {
  const admins = await column(
    client,
    `select _id as value from users where role = 'admin' and email_verified and disabled_at is null
       and _id not in (select _id from demo_users)`,
  )
  if (admins.length > 0) return
  throw new StartError(
    `The only admin is the demonstration's (${demoOwner}): make your own first with npm run admin -- EMAIL; nothing was changed.`,
  )
}

/**
 * @throws StartError when an invariant is violated, which must have been the case before as well
 */
async function assertSound(client: pg.ClientBase): Promise<void> {
  const [violation] = await findViolations(client)
  if (!violation) return
  throw new StartError(
    `The shop's records contradict each other (${violation.invariant}: ${violation.name}, ${violation.about}): let npm run doctor ` +
      'find why and try again; nothing was changed.',
  )
}

/**
 * Removes the demo content, all or nothing. The shop must be stopped.
 * @returns what was removed, and pictures that may no longer be shown anywhere
 * @throws StartError when the shop would be left without an admin, or an invariant is violated
 */
export async function takeOutDemo(client: pg.ClientBase): Promise<Demo & { images: string[] }> {
  await client.query('begin')
  try {
    await chooseDemo(client)
    await assertOwner(client)
    const demo = await readDemo(client)
    const images = await column<string>(
      client,
      `select image as value from part_pictures where part_id in (select _id from demo_parts)
       union select image from demo_orders`,
    )
    await endPlaces(client)
    await setTriggers(client, 'disable')
    await remove(client, 'checkouts', '_id in (select checkout_id from demo_orders)')
    await resetInvoices(client)
    await removeParts(client)
    await client.query(
      'delete from deliveries d where not exists (select from delivery_lines where delivery_id = d._id)',
    )
    await remove(client, 'reviews', '_id in (select _id from demo_reviews)')
    await removePeople(client)
    await removeSandboxes(client)
    await client.query(
      `update parts p set on_hand = ledger.on_hand, reserved = ledger.reserved, to_ship = ledger.to_ship from (
         select m.part_id, sum(on_hand_delta) as on_hand, sum(reserved_delta) as reserved,
           coalesce(sum(reserved_delta) filter (where o.status = 'paid'), 0) as to_ship
         from stock_movements m left join orders o on o._id = m.order_id group by m.part_id) ledger
       where ledger.part_id = p._id
         and (p.on_hand, p.reserved, p.to_ship) is distinct from (ledger.on_hand, ledger.reserved, ledger.to_ship)`,
    )
    await client.query(
      `update parts p set rating_count = reviews_of.count, rating_sum = reviews_of.sum from (
         select k._id, count(r)::int as count, coalesce(sum(r.ratings), 0)::int as sum
         from parts k left join reviews r on r.part_id = k._id and r.hidden_at is null and r.removed_at is null
         group by k._id) reviews_of
       where reviews_of._id = p._id and (p.rating_count, p.rating_sum) is distinct from (reviews_of.count, reviews_of.sum)`,
    )
    await setTriggers(client, 'enable')
    await client.query('update parts set specs = specs where deleted_at is not null')
    await client.query(
      'select offer_units(part_id) from (select distinct part_id from queue_places) waited',
    )
    await assertSound(client)
    await client.query('commit')
    return { ...demo, images }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
