import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { licences } from '#scripts/licences.js'
import { ambiguousSettings, readSettings, settingNames, unknownSettings } from '#server/env.ts'
import { handled } from '#server/features/payments/receive-event.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

describe('the settings', () => {
  test('.env.example explains every one and no other, each usable as it stands', () => {
    const lines = read('.env.example').match(/^[A-Z0-9_]+=.*$/gm) ?? []
    expect(lines.map((line) => line.split('=')[0]).toSorted()).toEqual(settingNames.toSorted())
    const asIs = Object.fromEntries(
      lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
    )
    expect(readSettings(asIs)).toEqual(readSettings({}))
  })

  test('only server/env.ts reads the environment; a child process may inherit it or find its programs', () => {
    const root = join(import.meta.dirname, '..')
    const readers = globSync('{contracts,server,web,sandbox}/**/*.{ts,tsx,js}', {
      cwd: root,
    }).filter((file) => /(?<!\.{3})process\.env(?!\.PATH)/.test(read(file)))
    expect(readers.filter((file) => !file.includes('.test.'))).toEqual(['server/env.ts'])
  })

  test.each([
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535, not “eighty”.'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not “70000”.'],
    [{ WORKERS: '0' }, 'WORKERS must be a whole number from 1 to 32, not “0”.'],
    [{ WORKERS: 'auto' }, 'WORKERS must be a whole number from 1 to 32, not “auto”.'],
    [{ HOLD_MINUTES: 'abc' }, 'HOLD_MINUTES must be a number above 0, up to 1440, not “abc”.'],
    [{ RATE_LIMIT: 'yes' }, 'RATE_LIMIT must be on or off, not “yes”.'],
    [{ TRUST_PROXY: '1' }, 'TRUST_PROXY must be on or off, not “1”.'],
    [{ DEMO: '1' }, 'DEMO must be on or off, not “1”.'],
    [{ ALLOW_SANDBOX: 'yes' }, 'ALLOW_SANDBOX must be on or off, not “yes”.'],
    [
      { LOG_LEVEL: 'verbose' },
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, silent, not “verbose”.',
    ],
    [
      { PUBLIC_URL: 'myshop.de' },
      /^PUBLIC_URL must be an address without a path .*not “myshop.de”/,
    ],
    [{ PUBLIC_URL: 'https://shop.example/parts' }, /without a path .*not “https:.*\/parts”\./],
    [
      { GOOGLE_ISSUER: 'http://id.example' },
      /^GOOGLE_ISSUER must be .* https:\/\/.*id\.example”\./,
    ],
    [{ MAIL_FROM: 'notanaddress' }, /^MAIL_FROM must be an address, as .*not “notanaddress”\./],
    [{ MAIL_FROM: 'Shop <a@b' }, /^MAIL_FROM must be an address, /],
    [{ MAIL_FROM: 'Shop, Inc. <shop@shop.example>' }, /^MAIL_FROM must be an address, /],
    [{ SMTP_URL: 'smtp://mail.example' }, /^MAIL_FROM must be set too, /],
    [
      { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Ferrite <shop@ferrite.localhost>' },
      /^MAIL_FROM must be set too, /,
    ],
    [{ OWNER_MAIL: 'a@b.example, c@d.example' }, /^OWNER_MAIL must be one e-mail address, /],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, /^STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must/],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_1, sk_test_1' }, /^STRIPE_WEBHOOK_SECRET must be a secret/],
    [{ DATABASE_READ_URL: 'postgres://replica/shop' }, /^DATABASE_URL must be set too: /],
    [{ ADMIN_EMAIL: 'a@b.example' }, /^ADMIN_PASSWORD must be set too: /],
    [{ IMAGES: 'S3' }, 'IMAGES must be one of disk, s3, imgbb, not “S3”.'],
    [
      { IMAGES: 's3' },
      /^S3_BUCKET and the other S3_ settings must be set too, for pictures in s3\.$/m,
    ],
    [{ IMAGES: 'imgbb' }, /^IMGBB_API_KEY must be set too, for pictures at imgbb\.$/m],
    [{ S3_BUCKET: 'mine' }, /^S3_ENDPOINT and S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be/],
    [{ S3_BUCKET: 'a/b' }, /^S3_BUCKET must be 3 to 63 lower-case letters/],
  ])(
    '%o stops the start with a sentence: name, value, what is allowed',
    (wrongSettings, sentence) => {
      expect(() => readSettings(wrongSettings)).toThrow(sentence)
    },
  )

  test('every setting names its allowed values', () => {
    const nothing = Object.fromEntries(settingNames.map((name) => [name, 'x'.repeat(1000)]))
    try {
      readSettings(nothing)
    } catch (error) {
      expect(String(error)).not.toMatch(/undefined|Invalid|expected/)
    }
    expect.assertions(1)
  })

  test('all errors are reported at once', () => {
    const wrongSettings = { PORT: 'abc', DEMO: 'yes', ADMIN_EMAIL: 'me@shop.example' }
    expect(() => readSettings(wrongSettings)).toThrow(
      /^PORT must .*\nDEMO must .*\nADMIN_PASSWORD must .*\n\.env\.example explains each setting\.$/,
    )
  })

  test.each([
    { APP_SECRET: 'hush-hush' },
    { ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'hush' },
    { METRICS_TOKEN: 'hush-hush' },
    { STRIPE_SECRET_KEY: 'hush-hush' },
    // the secret key in the place of the public one
    { STRIPE_PUBLISHABLE_KEY: 'sk_live_hush' },
    { DATABASE_URL: 'mysql://me:hush@host/shop' },
    { SMTP_URL: 'me:hush@mail.example' },
    { PUBLIC_URL: 'https://me:hush@shop.example' },
    // both keys in one value
    { S3_ENDPOINT: 'https://me:hush@s3.example' },
    { IMGBB_URL: 'http://me:hush@imgbb.example' },
  ])('%o: what is secret is not shown', (wrongSettings) => {
    const [name = ''] = Object.keys(wrongSettings).toReversed()
    expect(() => readSettings(wrongSettings)).toThrow(
      new RegExp(`^${name} must be (?!.*hush)`, 'm'),
    )
  })

  test('ALLOW_SANDBOX is on or off like all others, and 1 or 0 as before', () => {
    const values = ['on', '1', 'off', '0', ''].map((ALLOW_SANDBOX) =>
      readSettings({ ALLOW_SANDBOX }),
    )
    expect(values.map((settings) => settings.ALLOW_SANDBOX)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test('an unknown setting in .env is reported, with the one that was probably meant', () => {
    const text = `SMPT_URL=smtp://x\nPORT=3000\nHOLD_MINUTE=5\nport=1\nCOLOUR=red\nNODE_EXTRA_CA_CERTS=/ca.pem\n`
    expect(unknownSettings(text, settingNames)).toEqual([
      'COLOUR in .env is not a setting of the shop (.env.example lists all).',
      'HOLD_MINUTE in .env is not a setting of the shop: did you mean HOLD_MINUTES?',
      'SMPT_URL in .env is not a setting of the shop: did you mean SMTP_URL?',
      'port in .env is not a setting of the shop: did you mean PORT?',
    ])
  })

  test('the file is named as it is', () => {
    expect(unknownSettings('port=1', settingNames, '/etc/ferrite.env')).toEqual([
      'port in /etc/ferrite.env is not a setting of the shop: did you mean PORT?',
    ])
  })

  test('what systemd reads otherwise than Node is refused in a file of both; a .env may have comments after a blank', () => {
    const named = (text: string, file: string) =>
      ambiguousSettings(text, file).map((line) =>
        /^The value of (\w+) in (\S+) has/.exec(line)?.slice(1),
      )
    const text = [
      ...['# a comment', 'PORT=3000', '', 'A=abc#def', 'B=abc # why', "C='a#b'", 'D="a#b"'],
      ...[
        'E=a\\b',
        'F="a\\b"',
        "G='a\\b'",
        'H=',
        'I="x" # why',
        'export J=a#b',
        '  # K=a#b',
        'L=#a',
      ],
    ].join('\n')
    const both = '/etc/ferrite.env'
    expect(named(text, both)).toEqual(
      ['A', 'B', 'E', 'F', 'I', 'J', 'L'].map((name) => [name, both]),
    )
    expect(named(text, '.env')).toEqual([
      ['A', '.env'],
      ['J', '.env'],
    ])
    // Node reads the rest literally, as systemd does
    expect(parseEnv("C='a#b'\nD=\"a#b\"\nG='a\\b'")).toEqual({ C: 'a#b', D: 'a#b', G: 'a\\b' })
  })

  test('the public address is kept as browsers write it', () => {
    const { PUBLIC_URL } = readSettings({ PUBLIC_URL: 'HTTPS://Shop.Example:443/' })
    expect(PUBLIC_URL).toBe('https://shop.example')
  })

  test.each([
    'shop@shop.example',
    'Käthe’s Shop <shop@shop.example>',
    '"Shop, Inc." <shop@shop.example>',
  ])('%s may send mail', (MAIL_FROM) => {
    expect(readSettings({ SMTP_URL: 'smtp://mail.example', MAIL_FROM })).toMatchObject({
      MAIL_FROM,
    })
  })

  test.each([
    ['sk_live_1', 'pk_test_1'],
    ['sk_test_1', 'pk_live_1'],
    ['rk_live_1', 'pk_test_1'],
  ])('keys of two modes are refused: %s with %s', (secret, publishable) => {
    const mixed = {
      STRIPE_SECRET_KEY: secret,
      STRIPE_PUBLISHABLE_KEY: publishable,
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }
    expect(() => readSettings(mixed)).toThrow(/one mode/)
  })

  test('a webhook’s old and new secret may be set together', () => {
    const read = readSettings({
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_old, whsec_new,whsec_third',
    })
    expect(read.STRIPE_WEBHOOK_SECRET).toEqual(['whsec_old', 'whsec_new', 'whsec_third'])
  })
})

test('docs/operations.md asks the card provider for the events that the shop acts on, and no other', () => {
  const [, list = ''] = /api\/stripe\/webhook` for (.*?)\.\n/.exec(read('docs/operations.md')) ?? []
  expect(list.match(/[a-z_]+(?:\.[a-z_]+)+/g)).toEqual(handled)
})

test('docs/licences.md lists the packages of package-lock.json', () => {
  expect(read('docs/licences.md'), 'npm run licences writes it').toBe(licences())
})
