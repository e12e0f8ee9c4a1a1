/**
 * The mailbox of an address, the unit in which customers and mails are counted, and the limits of
 * mails.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailTemplates } from '#server/database/mail-templates.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

test.each([
  ['Mallory+a@Example.com', 'mallory@example.com'],
  ['m.al.lory+x+y@googlemail.com', 'mallory@gmail.com'],
  ['m.al.lory@Gmail.COM', 'mallory@gmail.com'],
  ['m.al-lo_ry+x@pm.me', 'mallory@proton.me'],
  ['m.al.lory@mail.gmail.com', 'm.al.lory@mail.gmail.com'],
  ['+@example.com', '@example.com'],
  ['nobody', 'nobody@'],
])('%s is the mailbox %s', async (address, mailbox) => {
  const { rows } = await database.pool.query('select mailbox_of($1) as mailbox', [address])
  expect(rows).toEqual([{ mailbox }])
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

test('every template has the limit and the urgency of the list of templates', async () => {
  await database.pool.query(
    `insert into users (issuer, subject, email, name, email_verified) values ('m', '3', 'ann@example.com', 'Ann', true)`,
  )
  const urgencies = { account: 0, money: 1, later: 3 }
  for (const [template, { urgency, causedBy }] of Object.entries(mailTemplates)) {
    const { rows } = await database.pool.query(
      `insert into mail_queue (template, recipient, subject, text, html) values ($1, 'ann@example.com', '', '', '')
       returning urgency, quota is not null as "isBounded", quota = mailbox_key('address ann@example.com') as "isByAddress"`,
      [template],
    )
    expect([template, rows]).toEqual([
      template,
      [
        {
          urgency: urgencies[urgency],
          isBounded: causedBy !== 'shop',
          isByAddress: causedBy === 'shop' ? null : causedBy === 'anyone',
        },
      ],
    ])
  }
})
