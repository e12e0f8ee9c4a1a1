import type { QueryClient } from '@tanstack/react-query'

/** The first words of the keys of all queries. */
const topics = [
  'address confirmed',
  'admin',
  'admin-reviews',
  'all-orders',
  'audit-log',
  'batches',
  'checkout',
  'client-secret',
  'confirming',
  'count',
  'deliveries',
  'delivery',
  'has password',
  'health',
  'holdings',
  'integrations',
  'kinds',
  'mail',
  'me',
  'money',
  'order',
  'orders',
  'overview',
  'own-reviews',
  'part',
  'parts',
  'picture-queue',
  'product',
  'products',
  'profile',
  'queue',
  'reviewed part',
  'reviews',
  'sessions',
  'stripe',
  'users',
  'waiting-part',
  'words',
] as const

/** The first word of a query's key. Keys with the same one are outdated together. */
export type CachedQuery = (typeof topics)[number]

declare module '@tanstack/react-query' {
  // a misspelled topic would never be outdated, so it is an error of types
  interface Register {
    queryKey: readonly [CachedQuery, ...unknown[]]
  }
}

/** Stock and orders show in nearly every list and figure: a shorter list would be one that somebody forgets to add to. */
const everything = topics

type Outdated = {
  /** Fetched again at once where it is on screen, else when it is next shown. */
  now?: readonly CachedQuery[]
  /** Fetched again when it is next shown: the screen leads elsewhere, or shows the change already. */
  later?: readonly CachedQuery[]
}

/** What each change outdates. `…Refused`: the change was refused, so the screen did not show what is so. */
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
  bookPartsRefused: { now: ['parts'] },
  deleteOrder: { now: everything },
  startPayment: { now: ['order', 'checkout'] },
  reportPayment: { now: ['order', 'checkout'] },
  joinCheckouts: { later: everything },
  manageOrder: { now: everything },
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
  endSessionsRefused: { now: ['sessions'] },
  changeRole: { now: ['users', 'count', 'admin', 'audit-log'] },
  // a block may hide reviews, which other screens show
  blockUser: { later: everything, now: ['users', 'count'] },
  releaseAccount: { now: everything },
  // the shop
  changeIntegration: { now: ['integrations'] },
  changeMail: { now: ['mail'] },
} satisfies Record<string, Outdated>

type Change = keyof typeof outdatedBy

/**
 * Outdates what a change outdates. @returns when what is on screen is fetched again
 * @param exceptId of the queries about this row alone
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
