/**
 * Demo content of a shop: its parts, reviews and owner, visitors' accounts, and orders that no real
 * card paid. Orders paid at Stripe itself, and their customers, are never demo content.
 */
import { picturedParts } from '#server/database/seed/content.ts'
import { drawnParts } from '#server/database/seed/drawn-parts.ts'
import type { QueryRunner } from './client.ts'

/** The demo owner of a shop without ADMIN_EMAIL. */
export const demoOwner = 'owner@ferrite.example'

const madeBySeed = `exists (select from stock_movements m where m.part_id = p._id and m.reason = 'demo stock')
  or (p.name, p.description) in (select * from unnest($1::text[], $2::text[]))`
const seeds = () => {
  const all = [...picturedParts, ...drawnParts()]
  return [all.map(({ name }) => name), all.map(({ description }) => description)]
}
const ofDemo = `r.user_id is null and r.email like 'reviewer%@ferrite.example'`

/** Whether this shop has ever used the sandbox for card payments. */
export async function hadSandbox(client: QueryRunner): Promise<boolean> {
  const { rows } = await client.query(
    `select to_regclass('sandbox_stripe.objects') is not null as had`,
  )
  return rows[0].had
}

/** Whether the shop still shows demo reviews. */
export async function hasDemoReviews(client: QueryRunner): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (select from reviews r where ${ofDemo} and r.removed_at is null) as has`,
  )
  return rows[0].has
}

/** Whether the shop sells a part that is not of the demo. */
export async function hasOwnParts(client: QueryRunner): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (select from parts p where deleted_at is null and state = 'on sale' and not (${madeBySeed})) as has`,
    seeds(),
  )
  return rows[0].has
}

/**
 * Describes the demo content that customers would see; empty in a shop that may take real cards.
 */
export async function demoOnSale(client: QueryRunner): Promise<string[]> {
  const paid = (await hadSandbox(client))
    ? 'select count(*) from orders where checkout_id in (select checkout_id from payments where intent_id in (select id from sandbox_stripe.objects))'
    : 'select 0'
  const { rows } = await client.query<Record<'parts' | 'reviews' | 'owner' | 'orders', string>>(
    `select (select count(*) from parts p where deleted_at is null and (${madeBySeed})) as parts,
       (select count(*) from reviews r where ${ofDemo}) as reviews,
       (select count(*) from users where email = $3) as owner, (${paid}) as orders`,
    [...seeds(), demoOwner],
  )
  const [counts] = rows
  const many = (count: string | undefined, one: string) =>
    Number(count) > 0 ? [`${count} ${one}${count === '1' ? '' : 's'}`] : []
  return [
    ...many(counts?.parts, 'part'),
    ...many(counts?.reviews, 'review'),
    ...(Number(counts?.owner) > 0 ? [`its owner ${demoOwner}`] : []),
    ...many(counts?.orders, 'sandbox order'),
  ]
}

/**
 * Collects the demo content in temporary tables of this transaction: demo_payments, demo_orders,
 * demo_parts, demo_users and demo_reviews.
 */
export async function chooseDemo(client: QueryRunner): Promise<void> {
  const sandbox = (await hadSandbox(client))
    ? 'exists (select from sandbox_stripe.objects o where o.id = y.intent_id)'
    : 'false'
  await client.query(
    `create temp table demo_payments on commit drop as select y.* from payments y where ${sandbox}`,
  )
  const real =
    'select y.* from payments y where y.intent_id not in (select intent_id from demo_payments)'
  // accounts and orders created after the first real payment are not demo content
  const before = `< coalesce((select min(created_at) from (${real}) r), 'infinity')`
  await client.query(
    `create temp table demo_orders on commit drop as select o.* from orders o
     where not exists (select from (${real}) r where r.checkout_id = o.checkout_id)
       and (o.created_at ${before} or exists (select from demo_payments d where d.checkout_id = o.checkout_id))`,
  )
  const customersOfRealOrders =
    'select k.user_id from orders k where k._id not in (select _id from demo_orders)'
  await client.query(
    `create temp table demo_users on commit drop as select u.* from users u
     where u.email = '${demoOwner}'
       or (u.role = 'customer' and u.created_at ${before} and u._id not in (${customersOfRealOrders}))`,
  )
  await client.query(
    `create temp table demo_reviews on commit drop as select r.* from reviews r
     where (${ofDemo}) or r.user_id in (select _id from demo_users)
       or (r.user_id is null and r.created_at ${before})`,
  )
  await client.query('create temp table demo_parts on commit drop as select * from parts limit 0')
  await client.query(
    `insert into demo_parts overriding system value select p.* from parts p where ${madeBySeed}`,
    seeds(),
  )
}
