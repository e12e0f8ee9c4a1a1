/** GET /me/data: what the shop stores about the caller. The browser saves it unread. */
import { z } from 'zod'
import { AccountBasket, Profile } from './account.ts'
import { Id } from './api.ts'
import { NewBuild } from './builds.ts'
import { InvoiceDocument } from './invoices.ts'
import { OwnMachinePart } from './machine.ts'
import { Order } from './orders.ts'
import { QueuePlace } from './queue.ts'
import { Review } from './reviews.ts'
import { StoredAddress } from './stored-address.ts'
import { Ticket } from './tickets.ts'
import { ListedUser } from './users.ts'

/** An order in it, with what only its invoice says. */
export const OwnOrder = Order.extend({ billTo: StoredAddress.nullable(), taxNumber: z.string() })

/** GET /me/data: everything that the shop stores about the caller. Times are ISO 8601. */
export const MyData = z.strictObject({
  madeAt: z.iso.datetime(),
  account: ListedUser.omit({ blockedAt: true }).extend({
    mailbox: z
      .string()
      .describe(
        'The mailbox that the account verified first, by which the shop counts; else its id.',
      ),
  }),
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
  basket: AccountBasket.shape.parts,
  builds: z.array(NewBuild).describe('Builds that the caller keeps.'),
  machine: z.array(OwnMachinePart).describe('The parts of the caller’s PC.'),
  places: z
    .array(QueuePlace.pick({ product: true, quantity: true, createdAt: true, offerEndsAt: true }))
    .describe('What the caller waits for.'),
  addresses: z.array(StoredAddress).describe('Those that the caller keeps for orders.'),
  tickets: z.array(Ticket).describe('What the caller asked for, with each thread.'),
  invoices: z.array(InvoiceDocument),
  orders: z.array(OwnOrder),
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
