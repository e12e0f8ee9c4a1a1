/** What moves the money of the shop's account, and what the provider takes for it. */
import type Stripe from 'stripe'
import { type Fields, list } from './form.ts'
import { type Cause, type Database, insert, newId, nowSeconds } from './store.ts'

/** How a test wants the account to be. */
type Account = {
  /** What the account is kept in; without it, the currency of the payment. */
  currency?: string
  /** Whether a charge gets its movement only after a moment, with an event. */
  isLate?: boolean
}

/** The account as a test wants it. */
export async function accountOf({ db, controls }: Cause): Promise<Account> {
  if (!controls) return {}
  const { rows } = await db.query<{ value: Account }>(
    "select value from sandbox_stripe.controls where name = 'account'",
  )
  return rows[0]?.value ?? {}
}

/** Another currency is worth nine tenths of the payment's. */
const exchangeRate = 0.9

type Moved = {
  source: string
  type: Stripe.BalanceTransaction.Type
  category: string
  /** In the smallest unit of `currency`; negative when it leaves the account. */
  amount: number
  currency: string
  /** What is taken for it, in the smallest unit of the account's currency. */
  feeOf?: (amount: number) => number
}

/** For a charge: 2.9 % + 30 cents. */
export const chargeFee = (amount: number): number => Math.round(amount * 0.029) + 30
/** For a dispute, also one that the shop wins. */
const disputeFee = 1500

/** Inserts a movement of the account. */
export async function move(
  cause: Cause,
  { source, type, category, amount, currency, feeOf = () => 0 }: Moved,
): Promise<Stripe.BalanceTransaction> {
  const account = await accountOf(cause)
  const isExchanged = account.currency !== undefined && account.currency !== currency
  const moved = isExchanged ? Math.round(amount * exchangeRate) : amount
  const kept = isExchanged ? String(account.currency) : currency
  const fee = feeOf(moved)
  const created = nowSeconds()
  const detail = { application: null, description: 'Sandbox processing fee', type: 'stripe_fee' }
  const movement: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: moved,
    available_on: created,
    balance_type: 'payments',
    created,
    currency: kept,
    description: null,
    exchange_rate: isExchanged ? exchangeRate : null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, currency: kept, ...detail }],
    net: moved - fee,
    reporting_category: category,
    source,
    status: 'available',
    type,
  }
  return (await insert(cause.db, movement)).body
}

/** The money that a dispute takes, with its fee. */
export const withdraw = (
  cause: Cause,
  { id, amount, currency }: Stripe.Dispute,
): Promise<Stripe.BalanceTransaction> =>
  move(cause, {
    ...{ source: id, type: 'adjustment', category: 'dispute', amount: -amount, currency },
    feeOf: () => disputeFee,
  })

/** The money that a dispute gives back. @param isInquiry it took no fee after all */
export const reinstate = (
  cause: Cause,
  { id, amount, currency }: Stripe.Dispute,
  isInquiry: boolean,
): Promise<Stripe.BalanceTransaction> =>
  move(cause, {
    ...{ source: id, type: 'adjustment', category: 'dispute_reversal', amount, currency },
    feeOf: () => (isInquiry ? -disputeFee : 0),
  })

/** Whether a call asks for a field as an object instead of its id, of one or of each in a list. */
export const expands = (fields: Fields, field: string): boolean =>
  list(fields, 'expand').some((path) => path.replace(/^data\./, '') === field)

/** Replaces the ids of movements with the movements. @param names the fields with ids */
export async function withMovements<T extends object>(
  db: Database,
  objects: T[],
  names: (keyof T)[],
): Promise<T[]> {
  const { rows } = await db.query<{ body: Stripe.BalanceTransaction }>(
    "select body from sandbox_stripe.objects where kind = 'balance_transaction' and id = any($1)",
    [objects.flatMap((object) => names.map((name) => object[name] ?? null))],
  )
  const movements = new Map(rows.map(({ body }) => [body.id, body]))
  return objects.map((object) => ({
    ...object,
    ...Object.fromEntries(
      names.flatMap((name) => {
        const movement = movements.get(String(object[name]))
        return movement ? [[name, movement]] : []
      }),
    ),
  }))
}
