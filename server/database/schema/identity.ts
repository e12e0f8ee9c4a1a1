import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgSchema, text } from 'drizzle-orm/pg-core'
import { timestamptz, timestamptzNow } from './columns.ts'

export const identitySchema = pgSchema('identity')

export const user = identitySchema.table(
  'user',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull().unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    /** Whether signing in asks for a one-time code as well. */
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    createdAt: timestamptzNow('created_at'),
    updatedAt: timestamptzNow('updated_at'),
  },
  (t) => [index('user_mailbox').on(sql`mailbox_of(${t.email})`)],
)

const owner = () =>
  text('user_id')
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

export const session = identitySchema.table(
  'session',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: owner(),
    expiresAt: timestamptz('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** When the user last entered a one-time code or a recovery code in this session. */
    confirmedAt: timestamptz('confirmed_at'),
    createdAt: timestamptzNow('created_at'),
    updatedAt: timestamptzNow('updated_at'),
  },
  (t) => [index('session_user').on(t.userId)],
)

export const account = identitySchema.table(
  'account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: owner(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: timestamptz('access_token_expires_at'),
    refreshTokenExpiresAt: timestamptz('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: timestamptzNow('created_at'),
    updatedAt: timestamptzNow('updated_at'),
  },
  (t) => [index('account_user').on(t.userId)],
)

export const verification = identitySchema.table(
  'verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    createdAt: timestamptzNow('created_at'),
    updatedAt: timestamptzNow('updated_at'),
  },
  (t) => [index('verification_identifier').on(t.identifier)],
)

/** The second factor of an account: an authenticator app, and recovery codes. Both are encrypted. */
export const twoFactor = identitySchema.table('two_factor', {
  id: text('id').primaryKey(),
  userId: owner().unique(),
  secret: text('secret').notNull(),
  backupCodes: text('backup_codes').notNull(),
  /** False until the first code of the app was entered. */
  verified: boolean('verified').notNull().default(true),
  failedVerificationCount: integer('failed_verification_count').notNull().default(0),
  lockedUntil: timestamptz('locked_until'),
  /** The time step of the last code that was entered: each code counts once. */
  lastStep: integer('last_step').notNull().default(0),
})

export const jwks = identitySchema.table('jwks', {
  id: text('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
  createdAt: timestamptzNow('created_at'),
  expiresAt: timestamptz('expires_at'),
  alg: text('alg'),
  crv: text('crv'),
})
