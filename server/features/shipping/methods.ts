import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'
import { regionCode } from '#contracts/regions.ts'
import {
  type MethodEdit,
  type MethodFields,
  maxMethods,
  type OfferedMethod,
  type ShippingMethod,
} from '#contracts/shipping.ts'
import { type ShippingStep, shippingPrice } from '#contracts/shipping-rules.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import {
  type Database,
  type Queryable,
  refusedBy,
  type Transaction,
} from '#server/database/client.ts'
import { amountSql } from '#server/database/schema/columns.ts'
import { shippingMethods, shippingSteps } from '#server/database/schema/shipping.ts'
import { AppError, found } from '#server/errors.ts'
import type { Arrivals } from './arrivals.ts'

const { savedAt: _, ...columns } = { ...shippingMethods }

/** The steps of a method by weight, the lightest first. */
export const stepsOfMethod = sql<ShippingStep[]>`(
  select coalesce(json_agg(json_build_object('upToG', s.up_to_g, 'price', ${amountSql(sql`s.cents`)}) order by s.up_to_g), '[]')
  from ${shippingSteps} s where s.method_id = ${shippingMethods}._id)`

const methodColumns = {
  _id: columns._id,
  version: columns.version,
  name: columns.name,
  type: columns.type,
  price: columns.price,
  freeFrom: columns.freeFrom,
  regions: columns.regions,
  daysFrom: columns.daysFrom,
  daysTo: columns.daysTo,
  steps: stepsOfMethod,
}

const isOffered = isNull(shippingMethods.endedAt)

/** Lists the ways in which the shop delivers, the cheapest first. */
export const listMethods = (db: Queryable): Promise<ShippingMethod[]> =>
  db
    .select(methodColumns)
    .from(shippingMethods)
    .where(isOffered)
    .orderBy(asc(shippingMethods.price), asc(shippingMethods.name))

/**
 * The ways of delivery as goods can choose them, those that cost least first.
 * @param goods their total
 * @param weightG their weight in grams
 */
export const offersOf = (
  methods: ShippingMethod[],
  by: Arrivals,
  { goods, weightG }: { goods: number; weightG: number },
): OfferedMethod[] =>
  methods
    .map((method) => ({
      ...method,
      cost: shippingPrice(method, goods, weightG),
      by: method.type === 'ship' ? by(method.daysTo) : null,
    }))
    .sort((a, b) => a.cost - b.cost)

/**
 * @param lock 'share': it neither changes nor ends until the transaction does
 * @throws AppError NOT_FOUND
 */
export async function findMethod(
  db: Queryable,
  id: string,
  lock?: 'share',
): Promise<ShippingMethod> {
  const query = db
    .select(methodColumns)
    .from(shippingMethods)
    .where(and(eq(shippingMethods._id, id), isOffered))
  const [method] = lock ? await query.for(lock) : await query
  return found(method, 'shipping method')
}

/** Regions as codes. @throws AppError INVALID, naming what is no country or region */
function codesOf(regions: string[]): string[] {
  const read = regions.map((typed) => ({ typed, code: regionCode(typed) }))
  const unknown = read.find(({ code }) => !code)
  if (unknown) {
    const why = `“${unknown.typed}” is no country or region, by name or by its code of ISO 3166`
    throw new AppError('INVALID', why, { regions: why })
  }
  return [...new Set(read.flatMap(({ code }) => code ?? []))]
}

const nameTaken = () => {
  const why = 'Another method has this name'
  return new AppError('NAME_TAKEN', why, { name: why })
}

/** Runs a write of methods; the name of each is unique. @throws AppError NAME_TAKEN */
const writing = <T>(db: Database, write: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.transaction(write).catch((error) => {
    throw refusedBy(error) === 'shipping_methods_name' ? nameTaken() : error
  })

const addSteps = async (tx: Transaction, methodId: string, steps: ShippingStep[]) => {
  if (steps.length === 0) return
  await tx.insert(shippingSteps).values(steps.map((step) => ({ methodId, ...step })))
}

const logged = (
  tx: Transaction,
  caller: Caller,
  action: 'shipping method added' | 'shipping method changed' | 'shipping method deleted',
  name: string,
) => logActions(tx, [{ actor: caller, userId: caller._id, action, detail: { name } }])

/**
 * Adds a way of delivery, and logs it.
 * @returns its id
 * @throws AppError INVALID for an unknown region or beyond `maxMethods`, NAME_TAKEN
 */
export function addMethod(
  db: Database,
  caller: Caller,
  { steps, ...fields }: MethodFields,
): Promise<string> {
  const values = { ...fields, regions: codesOf(fields.regions) }
  return writing(db, async (tx) => {
    const [row] = await tx.insert(shippingMethods).values(values).returning({ _id: columns._id })
    const { _id } = found(row, 'shipping method')
    await addSteps(tx, _id, steps)
    const [all] = await tx.select({ n: count() }).from(shippingMethods).where(isOffered)
    if ((all?.n ?? 0) > maxMethods)
      throw new AppError('INVALID', `A shop can have ${maxMethods} shipping methods at the most`)
    await logged(tx, caller, 'shipping method added', fields.name)
    return _id
  })
}

/**
 * Saves a way of delivery, and logs it. What checkouts chose before stays as it was.
 * @throws AppError NOT_FOUND, OUTDATED when another admin saved since `version` was read, INVALID,
 *   NAME_TAKEN
 */
export function saveMethod(
  db: Database,
  caller: Caller,
  id: string,
  { version, steps, ...fields }: MethodEdit,
): Promise<number> {
  const values = { ...fields, regions: codesOf(fields.regions) }
  return writing(db, async (tx) => {
    const { rowCount } = await tx
      .update(shippingMethods)
      .set({ ...values, version: version + 1, savedAt: sql`now()` })
      .where(and(eq(shippingMethods._id, id), eq(shippingMethods.version, version), isOffered))
    if (rowCount === 0) {
      await findMethod(tx, id)
      throw new AppError(
        'OUTDATED',
        'Another admin saved this method meanwhile, and nothing of yours was saved. Load the page again, and repeat your change.',
      )
    }
    await tx.delete(shippingSteps).where(eq(shippingSteps.methodId, id))
    await addSteps(tx, id, steps)
    await logged(tx, caller, 'shipping method changed', fields.name)
    return 1
  })
}

/**
 * Ends a way of delivery, and logs it. Checkouts that chose it keep it while their parts are held.
 * @returns 0 when it had ended before
 */
export function deleteMethod(db: Database, caller: Caller, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const [gone] = await tx
      .update(shippingMethods)
      .set({ endedAt: sql`now()` })
      .where(and(eq(shippingMethods._id, id), isOffered))
      .returning({ name: columns.name })
    if (!gone) return 0
    await logged(tx, caller, 'shipping method deleted', gone.name)
    return 1
  })
}
