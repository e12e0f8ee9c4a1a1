/** TypeScript and the database name the same mailbox for every address. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailboxOf } from '#server/features/users/identity-events.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { seed } from '#tests/support/length.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

const letters = "aZ09.+_-%'@ß"
const local = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 })
const domain = fc.oneof(
  fc.constantFrom('gmail.com', 'googlemail.com', 'Gmail.COM', 'mail.gmail.com', 'example.com', ''),
  fc.domain(),
)
const address = fc.oneof(
  fc.tuple(local, domain).map(([name, host]) => `${name}@${host}`),
  fc.emailAddress(),
  local,
)

test('mailbox_of is mailboxOf', async () => {
  const addresses = [
    'Mallory+a@Example.com',
    'm.al.lory+x+y@googlemail.com',
    ...fc.sample(address, { numRuns: 2000, seed }),
  ]
  const { rows } = await database.pool.query<{ mailbox: string }>(
    'select mailbox_of(address) as mailbox from unnest($1::text[]) with ordinality a (address, n) order by n',
    [addresses],
  )
  expect(rows.map(({ mailbox }) => mailbox)).toEqual(addresses.map(mailboxOf))
  expect(rows.slice(0, 2).map(({ mailbox }) => mailbox)).toEqual([
    'mallory@example.com',
    'mallory@gmail.com',
  ])
})

test('an unverified account proves no mailbox, so it counts alone', async () => {
  const { rows } = await database.pool.query(
    `insert into users (issuer, subject, email, name, email_verified)
     values ('m', '1', 'eve+1@example.com', 'Eve', true), ('m', '2', 'eve+2@example.com', 'Eve', false)
     returning _id, mailbox`,
  )
  expect(rows.map(({ mailbox }) => mailbox)).toEqual(['eve@example.com', rows[1]._id])
  const verified = `update users set email_verified = true where subject = '2' returning mailbox`
  expect((await database.pool.query(verified)).rows).toEqual([{ mailbox: 'eve@example.com' }])
})
