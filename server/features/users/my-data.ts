import type { ShopFacts } from '#contracts/shop.ts'
import type { Caller } from '#contracts/users.ts'
import { found } from '#server/errors.ts'
import { listBuilds } from '#server/features/builds/store.ts'
import { listDocumentsOf } from '#server/features/invoices/store.ts'
import { exportMachine } from '#server/features/machine/store.ts'
import { toOrder } from '#server/features/orders/store.ts'
import { listAddresses } from '#server/features/shipping/addresses.ts'
import { listThreadsOf } from '#server/features/tickets/store.ts'
import { jsonList } from '#server/http/lists.ts'
import { withFacts } from '#server/mail/shop-slots.ts'
import {
  findAccount,
  listActionsOn,
  listMailsTo,
  listOrdersOfAccount,
  listPlacesOf,
  listReviewsOf,
} from './account-store.ts'
import { readBasket } from './basket.ts'
import { findProfile } from './profiles.ts'
import type { SessionDeps } from './sessions.ts'
import { identityOf } from './store.ts'

export type MyDataDeps = SessionDeps & { facts: () => Promise<ShopFacts> }

/**
 * Streams everything that the shop stores about the caller as one JSON object: account, profile,
 * sessions, reviews, audit actions, basket, builds, machine, queue places, addresses, invoices, tickets, orders and mails. Leaves out the text of
 * mails whose links open the account.
 */
export async function myData({ db, identity, facts }: MyDataDeps, caller: Caller) {
  const shop = await facts()
  const account = found(await findAccount(db, caller._id), 'user')
  const begin = {
    madeAt: new Date().toISOString(),
    account,
    profile: (await findProfile(db, { userId: caller._id })) ?? null,
    sessions: ((await identity.signIns(await identityOf(db, caller._id))) ?? []).map(
      ({ sessionId: _, ...signIn }) => signIn,
    ),
    reviews: await listReviewsOf(db, caller._id),
    actions: await listActionsOn(db, caller._id),
    basket: await readBasket(db, caller._id),
    builds: (await listBuilds(db, caller._id)).map(({ name, parts }) => ({ name, parts })),
    machine: await exportMachine(db, caller._id),
    places: await listPlacesOf(db, caller._id),
    invoices: await listDocumentsOf(db, caller._id),
    addresses: (await listAddresses(db, caller._id)).map(({ address }) => address),
  }
  return (async function* text() {
    yield JSON.stringify(begin).slice(0, -1)
    yield ',"tickets":'
    yield* jsonList(
      (page) => listThreadsOf(db, caller._id, page),
      (ticket) => ticket,
    )
    yield ',"orders":'
    yield* jsonList(
      (page) => listOrdersOfAccount(db, caller._id, page),
      (row) => {
        const { billTo, taxNumber } = row.shipping
        return { ...toOrder(row), billTo, taxNumber }
      },
    )
    yield ',"mails":'
    yield* jsonList(
      (page) => listMailsTo(db, account, page),
      ({ _id: _, text, ...mail }) => ({ ...mail, text: text && withFacts(text, shop) }),
    )
    yield '}\n'
  })()
}
