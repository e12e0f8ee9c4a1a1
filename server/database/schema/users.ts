import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { id, searched, timestamptz, timestamptzNow } from './columns.ts'

export const users = pgTable(
  'users',
  {
    _id: id(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    /**
     * The first mailbox that the account verified, set by a trigger. Accounts of one mailbox count
     * as one customer, even after they change their address. An account without a verified mailbox
     * has its own id here.
     */
    mailbox: text('mailbox').notNull().default(''),
    role: text('role', { enum: ['customer', 'packer', 'admin'] })
      .notNull()
      .default('customer'),
    disabledAt: timestamptz('disabled_at'),
    /** When the account was deleted; the row stays for accounting, without a name. */
    deletedAt: timestamptz('deleted_at'),
    /** Increases to revoke all access tokens of the user. */
    tokenVersion: integer('token_version').notNull().default(0),
    createdAt: timestamptzNow('created_at'),
    search: searched('email', 'name', '_id::text'),
  },
  (t) => [
    unique('users_identity').on(t.issuer, t.subject),
    index('users_email').on(t.email, t._id),
    index('users_mailbox').on(t.mailbox),
    index('users_created').on(t.createdAt, t._id),
    index('users_admins').on(t.email, t._id).where(sql`${t.role} = 'admin'`),
    index('users_search').using('gin', t.search.op('gin_trgm_ops')),
    check('users_role', sql`${t.role} in ('customer', 'packer', 'admin')`),
    check(
      'users_deleted',
      sql`${t.deletedAt} is null
        or (${t.disabledAt} is not null and ${t.role} = 'customer' and not ${t.emailVerified})`,
    ),
    check('users_email_lower', sql`${t.email} = lower(${t.email})`),
  ],
)

/**
 * Profiles of customers. Name and e-mail are columns of `users`. The first booking sets the phone;
 * the other columns are null until the customer saves them.
 */
export const profiles = pgTable(
  'profiles',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users._id),
    education: text('education'),
    location: text('location'),
    phone: text('phone').notNull(),
    linkedIn: text('linked_in'),
  },
  (t) => [check('profiles_linked_in', sql`${t.linkedIn} like 'https://%linkedin.com/%'`)],
)

/**
 * The basket of an account, as text (`contracts/basket.ts`), so that it follows its user to other
 * devices.
 */
export const baskets = pgTable(
  'baskets',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users._id, { onDelete: 'cascade' }),
    parts: text('parts').notNull(),
  },
  (t) => [check('baskets_parts', sql`${t.parts} ~ '^[0-9x,]+$' and length(${t.parts}) <= 400`)],
)

/** Ended sessions. Their access tokens are refused before they expire. */
export const endedSessions = pgTable('ended_sessions', {
  sessionId: text('session_id').primaryKey(),
  endedAt: timestamptzNow('ended_at'),
})
