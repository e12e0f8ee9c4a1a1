import { z } from 'zod'
import { Id } from './api.ts'
import { Order } from './orders.ts'
import { Profile } from './profiles.ts'
import { Review } from './reviews.ts'
import { ListedUser } from './users.ts'

/** GET /me/data: everything that the shop knows about the caller. Times are ISO 8601. */
export const MyData = z.strictObject({
  madeAt: z.iso.datetime(),
  account: ListedUser.omit({ blockedAt: true }),
  profile: Profile.nullable(),
  sessions: z.array(z.looseObject({})).describe('When and with what the caller signed in.'),
  reviews: z.array(
    Review.pick({ _id: true, name: true, review: true, ratings: true, createdAt: true }),
  ),
  actions: z
    .array(
      z.strictObject({
        at: z.iso.datetime(),
        action: z.string(),
        orderId: Id.nullable(),
        detail: z.record(z.string(), z.unknown()),
      }),
    )
    .describe('Lines of the audit log about the caller and their orders.'),
  orders: z.array(Order),
  mails: z
    .array(
      z.strictObject({
        subject: z.string(),
        text: z.string().nullable(),
        createdAt: z.iso.datetime(),
        sentAt: z.iso.datetime().nullable(),
      }),
    )
    .describe('Mails to the caller; `text` is null where it holds a link that opens the account.'),
})
