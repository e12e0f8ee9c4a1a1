import type { QueryClient } from '@tanstack/react-query'

/** The topics: the first element of each query's key. */
const topics = [
  'address verified',
  'addresses',
  'admin',
  'admin-reviews',
  'all-orders',
  'audit-log',
  'batches',
  'builds',
  'checkout',
  'client-secret',
  'confirming',
  'count',
  'customer',
  'deliveries',
  'delivery',
  'fit',
  'has password',
  'health',
  'holdings',
  'integrations',
  'invoice',
  'kinds',
  'machine',
  'mail',
  'me',
  'money',
  'order',
  'order-mails',
  'orders',
  'overview',
  'own-pages',
  'own-reviews',
  'part',
  'parts',
  'picture-queue',
  'product',
  'products',
  'profile',
  'queue',
  'regions',
  'reviewed part',
  'reviews',
  'sessions',
  'shipping-methods',
  'slides',
  'settings',
  'texts',
  'to-ship',
  'staff-sessions',
  'shipped',
  'stripe',
  'ticket',
  'tickets',
  'users',
  'waiting-part',
  'withdrawal',
  'words',
] as const

/** The first element of a query's key. Queries with the same topic are outdated together. */
export type CachedQuery = (typeof topics)[number]

declare module '@tanstack/react-query' {
  // a misspelled topic would never be outdated, so it is a type error
  interface Register {
    queryKey: readonly [CachedQuery, ...unknown[]]
  }
}

/**
 * Stock and orders appear in nearly every list and figure; a shorter list would be easy to forget
 * to extend.
 */
const everything = topics

type Outdated = {
  /** Refetched at once if on screen, otherwise on the next visit. */
  now?: readonly CachedQuery[]
  /** Refetched on the next visit: the screen is about to change, or shows the change already. */
  later?: readonly CachedQuery[]
}

/**
 * The topics that each change outdates. `…Refused`: the change was refused, so the screen showed
 * old data.
 */
const outdatedBy = {
  // parts
  addPart: { later: everything },
  editPart: { now: everything },
  removePart: { now: everything },
  movePart: { now: everything },
  importParts: { now: everything },
  editManyParts: { now: everything },
  undoBatch: { now: everything },
  addKind: { now: everything },
  editKind: { now: everything },
  moveKind: { later: everything },
  moveKindRefused: { now: everything },
  removeKind: { later: everything },
  explainWord: { now: ['words'] },
  sendPictures: { now: ['picture-queue'] },
  endPictureFailures: { now: ['picture-queue'] },
  addDelivery: { later: everything },
  receiveDelivery: { later: everything, now: ['delivery'] },
  cancelDelivery: { later: ['deliveries'], now: ['delivery'] },
  // orders
  bookPart: { later: everything },
  bookPartRefused: { now: ['part'] },
  bookPartsRefused: { now: ['parts', 'part'] },
  deleteOrder: { now: everything },
  cancelOrders: { now: everything },
  startPayment: { now: ['order', 'checkout'] },
  reportPayment: { now: ['order', 'checkout'] },
  joinCheckouts: { later: everything },
  chooseShipping: { now: ['order', 'checkout', 'addresses'], later: ['orders'] },
  correctAddress: { now: ['order', 'checkout'], later: ['all-orders'] },
  saveAddress: { now: ['addresses'] },
  keepBuild: { now: ['builds'] },
  changeMachine: { now: ['machine'] },
  saveMethod: { now: ['shipping-methods'], later: ['checkout'] },
  manageOrder: { now: everything },
  changeTicket: {
    now: ['ticket', 'tickets', 'checkout'],
    later: ['count', 'overview', 'customer', 'audit-log'],
  },
  noteArrival: { now: ['order', 'checkout'] },
  changeNotes: { now: ['checkout', 'customer'], later: ['audit-log'] },
  sendMailAgain: { now: ['order-mails'], later: ['audit-log', 'mail'] },
  writeToCustomer: { later: everything },
  noteSerialNumbers: { now: ['order', 'checkout'], later: ['all-orders', 'audit-log'] },
  repairIssue: { now: everything },
  // queue
  joinQueue: { now: ['queue', 'part'] },
  leaveQueue: { now: ['queue', 'part'] },
  acceptOffer: { later: everything },
  acceptOfferRefused: { now: ['queue'] },
  offerExpired: { now: ['queue'] },
  // reviews
  addReview: { later: everything, now: ['own-reviews'] },
  editReview: { later: ['reviews'], now: ['own-reviews'] },
  moderateReview: { later: ['reviews'], now: ['admin-reviews', 'count', 'audit-log'] },
  // users
  changeName: { now: ['profile'] },
  changePassword: { now: ['sessions'] },
  changeFactor: { now: ['me', 'sessions', 'staff-sessions'] },
  endStaffSession: { now: ['staff-sessions', 'sessions', 'audit-log'] },
  endSessionsRefused: { now: ['sessions'] },
  changeRole: { now: ['users', 'count', 'admin', 'audit-log'] },
  // a block may hide reviews, which other screens show
  blockUser: { later: everything, now: ['users', 'count'] },
  releaseAccount: { now: everything },
  // the shop
  changeIntegration: { now: ['integrations'] },
  changeMail: { now: ['mail'] },
  saveSettings: { now: ['settings'], later: ['audit-log'] },
  saveText: { now: ['texts'], later: ['audit-log'] },
  saveSlide: { now: ['slides'], later: ['audit-log', 'parts'] },
  saveOwnPage: { now: ['own-pages'], later: ['audit-log'] },
} satisfies Record<string, Outdated>

type Change = keyof typeof outdatedBy

/**
 * Marks queries outdated after a change.
 * @param exceptId leaves out the queries about this row alone
 * @returns resolves when the queries on screen are refetched
 */
export async function outdate(
  client: QueryClient,
  change: Change,
  exceptId?: string,
): Promise<void> {
  const { now = [], later = [] }: Outdated = outdatedBy[change]
  const among =
    (named: readonly CachedQuery[]) =>
    ({ queryKey: [topic, id] }: { queryKey: readonly [CachedQuery, ...unknown[]] }) =>
      named.includes(topic) && (exceptId === undefined || id !== exceptId)
  await Promise.all([
    client.invalidateQueries({ predicate: among(later), refetchType: 'none' }),
    client.invalidateQueries({ predicate: among(now) }),
  ])
}
