/**
 * Guarantees of the mail queue: every mail is sent, and only a crash during sending can cause a
 * duplicate.
 */
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Mail, MailFailure } from '#server/adapters/mail/port.ts'
import { readBusinessMetrics } from '#server/database/business-metrics.ts'
import { connect, type Database } from '#server/database/client.ts'
import { findStuckMail, queueMail } from '#server/database/mail-queue.ts'
import type { MailTemplateName } from '#server/database/mail-templates.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { sendDueMail } from './send.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await migratedDatabase()
  db = connect(database.url, () => {}, { max: 5 })
})
beforeEach(() => database.pool.query('delete from mail_queue'))
afterAll(async () => {
  await db.$client.end()
  await database.drop()
})

const queue = (subject: string, dedupe?: string) =>
  queueMail(db, {
    template: 'test',
    recipient: 'ada@example.com',
    subject,
    text: 'Hello',
    html: '<p>Hello</p>',
    ...(dedupe && { dedupe }),
  })
const makeAllDue = (except = '') =>
  database.pool.query(
    `update mail_queue set next_attempt_at = now() - interval '1 second' where subject <> $1`,
    [except],
  )

test('one cause is one mail', async () => {
  const sentSubjects: string[] = []
  const mailer = { send: async ({ subject }: Mail) => void sentSubjects.push(subject) }
  await queue('first', 'paid 1')
  await queue('again', 'paid 1')
  await queue('another', 'paid 2')
  await Promise.all([1, 2, 3].map(() => sendDueMail({ db, mailer, log })))
  expect(sentSubjects.toSorted()).toEqual(['another', 'first'])
})

test('while one process is slow with a mail, another sends the rest, and none is sent by both', async () => {
  const sentSubjects: string[] = []
  await queue('slow')
  const other = { send: async ({ subject }: Mail) => void sentSubjects.push(subject) }
  const mailer = {
    async send({ subject }: Mail) {
      sentSubjects.push(subject)
      if (subject !== 'slow') return
      for (const later of ['b', 'c', 'd']) await queue(later)
      await sendDueMail({ db, mailer: other, log })
    },
  }
  await sendDueMail({ db, mailer, log })
  expect([sentSubjects[0], ...sentSubjects.slice(1).toSorted()]).toEqual(['slow', 'b', 'c', 'd'])
})

test('what fails is tried again later, under the same id', async () => {
  const ids: string[] = []
  const down = {
    async send({ id }: Mail) {
      ids.push(id)
      throw new Error('451 try later')
    },
  }
  await queue('tried')
  await sendDueMail({ db, mailer: down, log })
  await sendDueMail({ db, mailer: down, log })
  expect(ids).toHaveLength(1)
  await makeAllDue()
  const up = { send: async ({ id }: Mail) => void ids.push(id) }
  await sendDueMail({ db, mailer: up, log })
  await makeAllDue()
  await sendDueMail({ db, mailer: up, log })
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

describe('giving up', () => {
  const state = async () => {
    const { rows } = await database.pool.query(
      `select attempts, last_error as why, sent_at is not null as sent, given_up_at is not null as "givenUp"
       from mail_queue`,
    )
    return rows[0]
  }

  test('an address that is refused for good is tried once and never again', async () => {
    const ids: string[] = []
    const refusing = {
      async send({ id }: Mail) {
        ids.push(id)
        throw new MailFailure('The mail server refuses the address: 550 No such user here', {
          final: true,
        })
      },
    }
    await queue('to nobody')
    await sendDueMail({ db, mailer: refusing, log })
    await makeAllDue()
    await sendDueMail({ db, mailer: refusing, log })
    expect(ids).toHaveLength(1)
    expect(await state()).toEqual({
      attempts: 1,
      why: 'The mail server refuses the address: 550 No such user here',
      sent: false,
      givenUp: true,
    })
    expect(await findStuckMail(db)).toEqual([])
    expect(await readBusinessMetrics(db)).toMatchObject({
      mailsWaiting: 0,
      oldestWaitingMail: 0,
      mailsGivenUp: 1,
    })
    await database.pool.query(`update mail_queue set given_up_at = now() - interval '25 hours'`)
    expect(await readBusinessMetrics(db)).toMatchObject({ mailsGivenUp: 0 })
  })

  test('what fails for five days is given up, and not before', async () => {
    const down = {
      send: () => Promise.reject(new MailFailure('451 try later', { cause: null })),
    }
    await queue('never')
    let days = 0
    while (!(await state()).givenUp) {
      await makeAllDue()
      await sendDueMail({ db, mailer: down, log })
      const { rows } = await database.pool.query<{ wait: number }>(
        `select extract(epoch from next_attempt_at - now())::float8 / 86400 as wait from mail_queue`,
      )
      if (!(await state()).givenUp) days += rows[0]?.wait ?? 0
    }
    expect(days).toBeGreaterThan(4.5)
    expect(days).toBeLessThan(5.5)
    expect((await state()).attempts).toBe(15)
  })
})

const verified = (name: string) =>
  database.pool.query(
    `insert into users (issuer, subject, email, name, email_verified) values ('mail', $1, $1 || '@example.com', 'Grace', true)`,
    [name],
  )

describe('turns', () => {
  const queued = (template: MailTemplateName, recipient: string, subject: string = template) =>
    queueMail(db, { template, recipient, subject, text: 'Hello', html: '<p>Hello</p>' })
  /**
   * Sends all due mails. @returns the subjects in the order in which the mail server received them
   */
  async function sentInOrder(): Promise<string[]> {
    const subjects: string[] = []
    const mailer = { send: async ({ subject }: Mail) => void subjects.push(subject) }
    // the queue counts in milliseconds: the last mail may be due only in the next one
    await makeAllDue()
    while (await sendDueMail({ db, mailer, log }));
    return subjects
  }

  test('a reset goes before the bookings of thirty accounts, and a paid order before those too', async () => {
    for (let i = 0; i < 300; i += 1)
      await queued('queue-offer', `crowd${i % 30}@example.com`, 'an offer')
    await verified('ada')
    await queued('order-paid', 'ada@example.com')
    await queued('reset-password', 'ada@example.com')
    expect((await sentInOrder()).slice(0, 2)).toEqual(['reset-password', 'order-paid'])
  })

  test('a reset of a verified customer goes before the sign-ups of hundreds', async () => {
    await verified('rita')
    for (let i = 0; i < 200; i += 1) await queued('verify-email', `new${i}@example.com`, 'sign-up')
    await queued('reset-password', 'rita@example.com', 'for Rita')
    expect((await sentInOrder())[0]).toBe('for Rita')
  })

  test('a mailbox with many mails waits for those with few, also under its other addresses', async () => {
    for (let i = 0; i < 40; i += 1) await queued('queue-offer', `mallory+${i}@example.com`, 'flood')
    await queued('queue-offer', 'ada@example.com', 'for Ada')
    expect((await sentInOrder()).slice(0, 6)).toContain('for Ada')
  })
})

describe('what anybody can cause', () => {
  const ofAll = ['verify-email', 'reset-password', 'order-booked'] as const
  const queued = async (template: MailTemplateName, recipient: string, times: number) => {
    for (let i = 0; i < times; i += 1)
      await queueMail(db, { template, recipient, subject: 's', text: 't', html: 'h' })
  }
  const countTo = async (pattern: string) => {
    const { rows } = await database.pool.query<{ n: number }>(
      'select count(*)::int as n from mail_queue where recipient like $1',
      [pattern],
    )
    return rows[0]?.n
  }
  const anHourPasses = () =>
    database.pool.query(`update mail_queue set created_at = created_at - interval '61 minutes'`)

  const signedUp = (email: string, minutesAgo: number) =>
    database.pool.query(
      `insert into identity."user" (id, name, email, created_at)
       values (gen_random_uuid()::text, 'Vic', $1, now() - make_interval(mins => $2))`,
      [email, minutesAgo],
    )

  test('is ten mails an hour and twenty a day for an unverified address, of all templates, then a link of each an hour', async () => {
    for (const mails of [10, 20, 22, 24]) {
      for (const template of ofAll) await queued(template, 'victim@example.com', 7)
      expect(await countTo('victim@%')).toBe(mails)
      await anHourPasses()
    }
  })

  test('is one mail of a booking a day for an unverified address', async () => {
    await queued('order-booked', 'novice@example.com', 3)
    expect(await countTo('novice@%')).toBe(1)
  })

  test('leaves a verified address one reset an hour, whatever accounts of its other spellings were deleted', async () => {
    await verified('irene')
    for (let hour = 0; hour < 5; hour += 1) {
      await queued('reset-password', 'irene@example.com', 5)
      await anHourPasses()
    }
    await queued('reset-password', 'irene+x@example.com', 1)
    // the account is deleted, and its mail stays without a name
    await database.pool.query(
      `update mail_queue set recipient = 'former.1@deleted.invalid', text = '' where recipient = 'irene+x@example.com'`,
    )
    const before = Number(await countTo('irene@%'))
    await queued('reset-password', 'irene@example.com', 2)
    expect(await countTo('irene@%')).toBe(before + 1)
  })

  test('leaves the first accounts of a mailbox one link an hour of each template, even after the quota is used up', async () => {
    await signedUp('vic+ferrite@gmail.com', 3)
    await signedUp('v.ic+2@gmail.com', 2)
    await signedUp('vic+3@gmail.com', 1)
    const ask = async (email: string, times = 1) => {
      await queued('verify-email', email, times)
      await queued('reset-password', email, times)
    }
    for (let hour = 0; hour < 3; hour += 1) {
      // the stranger goes first, with other spellings
      for (let i = 0; i < 12; i += 1) await ask(`vic+${hour}${i}@gmail.com`)
      for (let i = 0; i < 12; i += 1) await ask('vi.c@gmail.com')
      const before = [await countTo('vic+ferrite@%'), await countTo('vic+3@%')]
      await ask('vic+ferrite@gmail.com', 3)
      await ask('vic+3@gmail.com', 3)
      const after = [await countTo('vic+ferrite@%'), await countTo('vic+3@%')]
      expect(after).toEqual([Number(before[0]) + 2, before[1]])
      await anHourPasses()
    }
  })

  test('is an unverified address’s own, in whatever spelling its provider ignores', async () => {
    for (let i = 0; i < 24; i += 1) await queued('verify-email', `ada.love+${i}@gmail.com`, 1)
    await queued('verify-email', 'ada.love@gmail.com', 1)
    expect(await countTo('ada.love@gmail.com')).toBe(1)
  })

  test('is the same for all other spellings of a mailbox together, and uses up nothing of its own', async () => {
    for (let hour = 0; hour < 4; hour += 1) {
      for (const [i, template] of ofAll.entries())
        for (let more = 0; more < 3; more += 1)
          await queued(template, `carol+${i}${more}@example.com`, 3)
      expect(await countTo('carol+%')).toBe(Math.min(4 * (hour + 1), 8))
      await anHourPasses()
    }
    await queued('verify-email', 'carol@example.com', 1)
    await queued('reset-password', 'carol@example.com', 1)
    expect(await countTo('carol@%')).toBe(2)
  })

  test('is five resets an hour and fifteen a day for a verified address, then one an hour, whatever its other spellings got', async () => {
    await verified('henry+shop')
    for (let hour = 0; hour < 30; hour += 1) {
      await queued('reset-password', 'henry@example.com', 5)
      await queued('verify-email', `henry+${hour}@example.com`, 9)
      await queued('reset-password', 'Henry+Shop@example.com', 7)
      await anHourPasses()
    }
    const recent = `select count(*)::int as n from mail_queue where lower(recipient) = 'henry+shop@example.com'`
    expect((await database.pool.query(recent)).rows).toEqual([{ n: 42 }])
  })

  test('is twenty an hour and sixty a day of what a verified account causes, all of its mailbox together', async () => {
    await verified('grace')
    await verified('grace+2')
    for (let hour = 0; hour < 4; hour += 1) {
      await queued('order-booked', 'grace@example.com', 15)
      await queued('queue-offer', 'grace+2@example.com', 15)
      expect(await countTo('grace%')).toBe(Math.min(20 * (hour + 1), 60))
      await anHourPasses()
    }
    await queued('reset-password', 'grace@example.com', 7)
    expect(await countTo('grace%')).toBe(65)
    // mails that no stranger can cause are always sent
    await queued('order-paid', 'grace@example.com', 3)
    expect(await countTo('grace%')).toBe(68)
  })

  test.each([
    'address-changed',
    'payment-reminder',
    'queue-ended',
    'hold-ended',
    'order-ending',
  ] as const)('%s is counted too', async (template) => {
    await queued(template, `${template}@example.com`, 7)
    expect(await countTo(`${template}%`)).toBe(5)
  })
})
