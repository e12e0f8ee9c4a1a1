/**
 * Causes each failure that health checks detect. The owner sees it in the log, as a metric, in one
 * mail and on the page.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HealthEvent, HealthReport, healthEvents } from '#contracts/health.ts'
import { firebaseIdentity } from '#server/adapters/identity/firebase.ts'
import { imgbbImages } from '#server/adapters/images/imgbb.ts'
import { s3Images } from '#server/adapters/images/s3.ts'
import { smtpMailer } from '#server/adapters/mail/smtp.ts'
import { backUp } from '#server/commands/backup/back-up.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { diskGuard } from '#server/http/limits/disk-guard.ts'
import { startJobs } from '#server/jobs.ts'
import { call, controlSandbox, login, type Person } from '#tests/support/people.ts'
import { openFirebaseServer } from '#tests/support/servers/firebase-server.ts'
import { imgbbServer } from '#tests/support/servers/imgbb-server.ts'
import { s3Keys, s3Server } from '#tests/support/servers/s3-server.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { healthReporter, type ReportHealth } from './report.ts'
import { providerReporter, tryProviders } from './try-providers.ts'

type Deps = TestShop['deps']
const METRICS_TOKEN = 'figures of this shop'
const timeoutMs = 5_000
const MB = 1024 * 1024

let shop: TestShop
let owner: Person
const closing: Array<() => unknown> = []
let logged: { msg: string; reason?: string; level: number }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })

beforeAll(async () => {
  // the shop's own jobs do not run: each test starts jobs with its own failing parts
  shop = await openTestShop({ DEMO: 'off', JOB_SECONDS: '3600', METRICS_TOKEN })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
beforeEach(async () => {
  logged = []
  await shop.pool.query('delete from mail_queue; delete from last_runs; delete from health_checks')
})
afterAll(async () => {
  for (const close of closing) await close()
  await shop.close()
})

const report = async () => HealthReport.parse((await owner.call('GET', '/api/health')).body).checks
const metrics = async () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  return String((await call(shop.origin, 'GET', '/metrics', { headers })).body)
}
/** The failing checks except jobs, which are late here when the machine is slow. */
const wrong = async () => (await report()).filter(({ name, event }) => event && name !== 'jobs')
const ownerMails = async (event: HealthEvent) => {
  const { rows } = await shop.pool.query<{ text: string }>(
    `select text from mail_queue where template = 'owner-health' and subject = $1`,
    [healthEvents[event].headline],
  )
  return rows
}

/** Runs the jobs of a shop with these dependencies replaced, until `work` is done. */
async function withJobs(changed: Partial<Deps>, work: () => Promise<void>): Promise<void> {
  const jobs = startJobs({ ...shop.deps, log, ...changed }, 0.2, 0.2)
  try {
    await work()
  } finally {
    await jobs.stop()
  }
}

/**
 * Expects the event in the report, the metrics, the log and the mail.
 * @param cause part of the sentence
 */
async function expectNoticed(event: HealthEvent, cause: RegExp): Promise<void> {
  const { check, state, advice } = healthEvents[event]
  const find = async () => (await report()).find(({ name }) => name === check)
  await expect.poll(async () => (await find())?.event).toBe(event)
  expect(await find()).toMatchObject({ state, advice, sentence: expect.stringMatching(cause) })
  expect(await metrics()).toMatch(
    new RegExp(`^ferrite_health_check_failing{check="${check}"} 1$`, 'm'),
  )
  await expect.poll(() => ownerMails(event)).toHaveLength(1)
  const [mail] = await ownerMails(event)
  expect(mail?.text).toMatch(new RegExp(cause.source, 'm'))
  expect(mail?.text).toContain(`${shop.origin}/dashboard/health`)
  const entries = logged.filter(({ msg, reason }) => msg === event && cause.test(reason ?? ''))
  expect(entries).not.toEqual([])
  const overview = await owner.call('GET', '/api/overview')
  expect(overview.body.attention.failingChecks).toBeGreaterThan(0)
}

/** How to make each provider refuse the shop's keys, and the text of its refusal. */
const refusals: [HealthEvent, RegExp, () => Promise<Partial<Deps>>][] = [
  [
    'payment_key_refused',
    /^Stripe refuses the key of the shop: .* \(STRIPE_SECRET_KEY\)$/,
    async () => {
      await controlSandbox(shop.origin, 'fail-next', { status: 401, count: 1_000_000 })
      return {}
    },
  ],
  [
    'mail_key_refused',
    /^The mail server 127\.0\.0\.1:\d+ refuses the user or password of the shop \(SMTP_URL\)/,
    async () => {
      const server = new SMTPServer({
        authMethods: ['PLAIN'],
        allowInsecureAuth: true,
        onAuth: (_, __, done) => done(new Error('wrong')),
      }).on('error', () => {})
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closing.push(() => server.close())
      const { port } = server.server.address() as AddressInfo
      const url = `smtp://shop:wrong@127.0.0.1:${port}?tls.rejectUnauthorized=false`
      return { mailer: smtpMailer(url, 'shop@shop.example') }
    },
  ],
  [
    'picture_key_refused',
    /^http:\/\/127\.0\.0\.1:\d+\/pictures answers 403 SignatureDoesNotMatch/,
    async () => {
      const server = await s3Server()
      closing.push(server.close)
      const keys = { ...s3Keys, secretAccessKey: 'another' }
      return { images: s3Images({ ...server, ...keys, timeoutMs }) }
    },
  ],
  [
    'picture_key_refused',
    /^http:\/\/127\.0\.0\.1:\d+ answers 400 Invalid API v1 key\.$/,
    async () => {
      const server = await imgbbServer()
      closing.push(server.close)
      return { images: imgbbImages({ ...server, key: 'another', timeoutMs }, shop.pool) }
    },
  ],
  [
    'sign_in_key_refused',
    /^Firebase refuses the key of the shop: API key not valid.* \(FIREBASE_API_KEY\)$/,
    async () => ({ identity: await firebaseWith('another') }),
  ],
  [
    'sign_in_key_refused',
    /^The shop’s key belongs to the Firebase project some-project, not of old-shop \(FIREBASE_PROJECT_ID\)$/,
    async () => ({ identity: await firebaseWith('the-key', 'old-shop') }),
  ],
]

async function firebaseWith(apiKey: string, projectId = 'some-project') {
  const server = await openFirebaseServer('some-project', 'the-key')
  closing.push(server.close)
  return firebaseIdentity({
    projectId,
    apiKey,
    publicUrl: shop.origin,
    emulator: null,
    timeoutMs,
    cleanName: String,
    servers: server.servers,
    log: () => {},
  })
}

describe('keys that a provider refuses', () => {
  test.each(refusals)('%s, by %s', async (event, cause, change) => {
    const changed = await change()
    await withJobs(changed, () => expectNoticed(event, cause))
    await controlSandbox(shop.origin, 'fail-next', { status: 401, count: 0 })
    // no event reports the provider as down
    expect(logged.filter(({ msg }) => /down|unavailable/.test(msg))).toEqual([])
    expect(JSON.stringify([logged, await ownerMails(event), await report()])).not.toContain(
      'another',
    )
    // with the right keys, all checks pass again
    await withJobs({}, async () => {
      await expect.poll(report).not.toEqual([])
      await expect.poll(wrong).toEqual([])
    })
  })

  test('are reported to customers, and logged with their cause', async () => {
    await controlSandbox(shop.origin, 'fail-next', { status: 403, count: 1_000_000 })
    const { status, body } = await owner.call('POST', '/api/money/repair', {
      about: 'intent:pi_unknown',
      repair: 'settle',
    })
    await controlSandbox(shop.origin, 'fail-next', { status: 403, count: 0 })
    expect([status, body.error.code]).toEqual([503, 'PROVIDER_DOWN'])
    expect(body.error.message).toBe(
      'Cards cannot be charged at the moment. You were not charged; try again later.',
    )
  })

  test('keys that all providers take are reported so', async () => {
    const [s3, imgbb] = [await s3Server(), await imgbbServer()]
    closing.push(s3.close, imgbb.close)
    const stores = [
      s3Images({ ...s3, ...s3Keys, timeoutMs }),
      imgbbImages({ ...imgbb, timeoutMs }, shop.pool),
    ]
    const identity = await firebaseWith('the-key')
    for (const images of stores) {
      const tried = await tryProviders({ ...shop.deps, identity, images })
      expect(tried.map(({ name, state }) => `${name} ${state}`)).toEqual([
        'payments accepted',
        'mail accepted',
        'pictures accepted',
        'sign_in accepted',
      ])
    }
    expect(imgbb.files.size).toBe(0)
  })
})

test('a provider that is down for a moment is not reported; after three tries it is', async () => {
  const deps = { ...shop.deps, log, mailer: smtpMailer('smtp://127.0.0.1:9', 'shop@shop.example') }
  const reportAll = providerReporter(deps, healthReporter(deps))
  for (let i = 0; i < 2; i += 1) await reportAll(await tryProviders(deps))
  expect(logged.map(({ msg }) => msg)).toEqual(['mail_server_unavailable'])
  expect(await ownerMails('mail_server_unavailable')).toEqual([])
  await reportAll(await tryProviders(deps))
  await expectNoticed('mail_server_unavailable', /cannot be reached: connect ECONNREFUSED/)
})

describe('the disk', () => {
  const diskWith = (free: { bytes: number }) =>
    diskGuard([shop.dataDir], log, async () => free.bytes)

  test('is reported long before writes are refused, then when they are, and when there is room again', async () => {
    const free = { bytes: 800 * MB }
    await withJobs({ disk: diskWith(free) }, async () => {
      await expectNoticed('disk_low', /^800 MB are free/)
      // another job measures the disk for the metrics
      await expect.poll(metrics).toMatch(/^ferrite_disk_free_bytes 838860800$/m)
      expect(await metrics()).toMatch(/^ferrite_writes_refused 0$/m)
      free.bytes = 200 * MB
      await shop.pool.query('delete from mail_queue')
      await expectNoticed('disk_full', /^200 MB are free .*: no order can be booked/)
      await expect.poll(metrics).toMatch(/^ferrite_writes_refused 1$/m)
      free.bytes = 2000 * MB
      await expect.poll(wrong).toEqual([])
      await expect.poll(metrics).toMatch(/^ferrite_health_check_failing{check="disk"} 0$/m)
    })
    expect(logged.map(({ msg }) => msg)).toContain('health_restored')
  })
})

describe('backups', () => {
  const isReal = () => ({
    payments: {
      ...shop.deps.payments,
      browser: { ...shop.deps.payments.browser, sandbox: false },
    },
  })
  const daysAgo = (days: number) =>
    shop.pool.query(
      `update last_runs set ended_at = now() - make_interval(days => $1) where job = 'backup'`,
      [days],
    )

  test('one that fails, and is over with the next that succeeds', async () => {
    const file = join(shop.dataDir, 'a-file')
    await writeFile(file, '')
    const where = { DATA_DIR: shop.dataDir, DATABASE_URL: shop.databaseUrl }
    await expect(backUp(where, join(file, 'backup'), '0.1.0')).rejects.toThrow('is not a folder')
    await withJobs({}, async () => {
      await expectNoticed('backup_failed', /^The backup of .+ UTC failed: .*a-file is not a folder/)
      await mkdir(join(shop.dataDir, 'backups'), { recursive: true })
      await backUp(where, join(shop.dataDir, 'backups/one'), '0.1.0')
      await expect.poll(wrong).toEqual([])
    })
    expect(await metrics()).toMatch(/^ferrite_last_backup_age_seconds \d/m)
  })

  test('one that is old, by the hours of the setting', async () => {
    await noteRun(shop.pool, 'backup', {})
    await daysAgo(3)
    await withJobs({}, () => expectNoticed('backup_old', /^The last backup was made 3 days ago/))
    expect(await metrics()).toMatch(/^ferrite_last_backup_age_seconds 2592\d\d/m)
    await withJobs({ backupHours: 24 * 4 }, async () => {
      await expect.poll(wrong).toEqual([])
    })
  })

  test('none at all is reported after two days, in a shop that takes money; not in a demo or a new shop', async () => {
    await withJobs({}, async () => {
      await expect.poll(report).not.toEqual([])
    })
    await withJobs(isReal(), async () => {
      await expect.poll(report).not.toEqual([])
    })
    expect(await ownerMails('backup_missing')).toEqual([])
    expect(await metrics()).not.toMatch(/^ferrite_last_backup_age_seconds/m)
    await shop.pool.query(`update users set created_at = now() - interval '3 days'`)
    await withJobs(isReal(), () =>
      expectNoticed('backup_missing', /^In 3 days no backup of this shop was made/),
    )
    await withJobs({ ...isReal(), backupHours: 0 }, async () => {
      await expect.poll(wrong).toEqual([])
    })
  })
})

test('what is not set up is neither a failure nor a success', async () => {
  const states = async () =>
    Object.fromEntries((await report()).map(({ name, state }) => [name, state]))
  await withJobs({}, async () => {
    const notSetUp = { backup: 'off', mail: 'off', payments: 'off' }
    await expect.poll(states).toMatchObject({ ...notSetUp, disk: 'ok', pictures: 'ok' })
    const mail = (await report()).find(({ name }) => name === 'mail')
    expect(mail?.sentence).toMatch(/^No mail leaves the shop: it has no mail server/)
    expect(mail?.advice).toMatch(/ a mail server \(SMTP_URL\)\.$/)
    expect(await metrics()).toMatch(/^ferrite_health_check_failing\{check="mail"\} 0$/m)
    expect((await owner.call('GET', '/api/overview')).body.attention.failingChecks).toBe(0)
    await noteRun(shop.pool, 'backup', {})
    await expect.poll(states).toMatchObject({ backup: 'ok', mail: 'off' })
  })
})

test('a job that has not run: which, since when and why', async () => {
  await shop.pool.query('alter table queue_places rename to queue_places_away')
  try {
    await withJobs({}, async () => {
      await expectNoticed(
        'job_late',
        /has not run for .*: .*queue_places.* does not exist \(serve_queue\)/,
      )
      const [, age] =
        /^ferrite_job_age_seconds{job="serve_queue"} ([\d.]+)$/m.exec(await metrics()) ?? []
      expect(Number(age)).toBeGreaterThan(3)
    })
  } finally {
    await shop.pool.query('alter table queue_places_away rename to queue_places')
  }
})

test('two machines that disagree do not change the result at each check, and one mail is sent', async () => {
  const machineWith = (machine: string, freeMB: number) => {
    const disk = diskGuard([shop.dataDir], log, async () => freeMB * MB)
    const looks = { count: 0 }
    const look = async () => {
      looks.count += 1
      await disk.look()
    }
    return { deps: { ...shop.deps, log, machine, disk: { ...disk, look } }, looks }
  }
  const [small, large] = [machineWith('small', 800), machineWith('large', 9000)]
  const disk = async () => (await report()).find(({ name }) => name === 'disk')
  const bothLook = async () => {
    const [seenBySmall, seenByLarge] = [small.looks.count, large.looks.count]
    // every sixth measurement is a health check
    const areSeen = () =>
      small.looks.count > seenBySmall + 15 && large.looks.count > seenByLarge + 15
    await expect.poll(areSeen).toBe(true)
  }
  const jobs = [small, large].map(({ deps }) => startJobs(deps, 0.2, 3600))
  try {
    await bothLook()
    const found = await disk()
    expect(found).toMatchObject({ event: 'disk_low', sentence: expect.stringMatching(/^800 MB/) })
    await bothLook()
    expect(await disk()).toMatchObject({ event: 'disk_low', since: found?.since })
  } finally {
    for (const each of jobs) await each.stop()
  }
  expect(await ownerMails('disk_low')).toHaveLength(1)
  expect(logged.filter(({ msg }) => msg === 'disk_low')).toHaveLength(1)
  expect(logged.filter(({ msg }) => msg === 'health_restored')).toEqual([])
})

test('of two machines’ results the worse is reported, until the machine that found it reports success', async () => {
  const [one, two] = ['one', 'two'].map((machine) =>
    healthReporter({ ...shop.deps, log, machine }),
  ) as [ReportHealth, ReportHealth]
  const well = { name: 'disk', event: null, sentence: '9000 MB are free.' } as const
  const low = { name: 'disk', event: 'disk_low', sentence: '800 MB are free.' } as const
  const full = { name: 'disk', event: 'disk_full', sentence: '200 MB are free.' } as const
  const told = async () => (await report()).map(({ event }) => event)
  for (const each of [one, two]) await each(well)
  await one(low)
  await two(full)
  await one(low)
  expect(await told()).toEqual(['disk_full'])
  expect(await ownerMails('disk_full')).toHaveLength(1)
  await two(well)
  await one(low)
  expect(await told()).toEqual(['disk_low'])
})

test('results from a restored backup do not count, and the first checks replace them', async () => {
  await shop.pool.query(
    `insert into health_checks (name, event, sentence, machine, since, checked_at)
     select name, event, 'As it was then.', 'the old machine', now() - interval '40 days', now() - interval '21 days'
     from (values ('disk', 'disk_low'), ('payments', 'payment_key_refused'), ('sign_in', 'sign_in_key_refused'),
       ('mail', null)) as old (name, event)`,
  )
  expect(await report()).toEqual([])
  expect(await metrics()).not.toMatch(/^ferrite_health_check_failing\{/m)
  expect((await owner.call('GET', '/api/overview')).body.attention.failingChecks).toBe(0)
  const free = { bytes: 800 * MB }
  await withJobs({ disk: diskGuard([shop.dataDir], log, async () => free.bytes) }, async () => {
    const payments = async () => (await report()).find(({ name }) => name === 'payments')
    await expect.poll(payments).toMatchObject({ event: null })
    const disk = async () => (await report()).find(({ name }) => name === 'disk')
    await expect.poll(disk).toMatchObject({ event: 'disk_low' })
    // `since` is when this machine found it, not the old one
    expect(Date.now() - Date.parse(String((await disk())?.since))).toBeLessThan(60_000)
    const names = (await report()).map(({ name, sentence }) => `${name}: ${sentence}`)
    expect(names.filter((text) => /sign_in|As it was then/.test(text))).toEqual([])
  })
  for (const event of ['payment_key_refused', 'sign_in_key_refused'] as const)
    expect(await ownerMails(event)).toEqual([])
})

test('the owner gets one mail a day, from however many processes, and what another machine found stays', async () => {
  const result = { name: 'disk', event: 'disk_low', sentence: '800 MB are free.' } as const
  const [one, two] = [healthReporter({ ...shop.deps, log }), healthReporter({ ...shop.deps, log })]
  for (const each of [one, one, two, two]) await each(result)
  expect(await ownerMails('disk_low')).toHaveLength(1)
  // each process logs it once
  expect(logged.filter(({ msg }) => msg === 'disk_low')).toHaveLength(2)
  await shop.pool.query(
    `update mail_queue set dedupe = replace(dedupe, to_char(now() at time zone 'UTC', 'YYYY-MM-DD'), 'yesterday')`,
  )
  await one(result)
  expect(await ownerMails('disk_low')).toHaveLength(2)
  await shop.pool.query(`update health_checks set machine = 'another'`)
  await one({ name: 'disk', event: null, sentence: '9000 MB are free.' })
  expect(await report()).toMatchObject([{ event: 'disk_low' }])
  // the other machine no longer reports
  await shop.pool.query(`update health_checks set checked_at = now() - interval '2 hours'`)
  await one({ name: 'disk', event: null, sentence: '9000 MB are free.' })
  expect(await report()).toMatchObject([{ event: null, state: 'ok', advice: null }])
})
