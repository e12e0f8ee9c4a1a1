import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings, settingNames } from '#server/env.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

describe('the settings', () => {
  test('docs/operations.md explains every one and no other', () => {
    const rows = read('docs/operations.md').match(/^\| `[A-Z_]+`.*$/gm) ?? []
    const names = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z_]+/g) ?? [])
    expect(names.toSorted()).toEqual(settingNames.toSorted())
  })

  test('.env.example lists every one and no other, each usable as it stands', () => {
    const lines = read('.env.example').match(/^[A-Z_]+=.*$/gm) ?? []
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
    [{ PORT: 'eighty' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ HOLD_MINUTES: '0' }, 'HOLD_MINUTES'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ PUBLIC_URL: 'https://shop.example/parts' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'https://me:secret@shop.example' }, 'PUBLIC_URL'],
    [{ APP_SECRET: 'short' }, 'APP_SECRET'],
    [{ RATE_LIMIT: 'maybe' }, 'RATE_LIMIT'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_PUBLISHABLE_KEY'],
    [{ ADMIN_EMAIL: 'a@b.example' }, 'ADMIN_PASSWORD'],
  ])('%o stops the start with a sentence that names the setting', (wrong, name) => {
    expect(() => readSettings(wrong)).toThrow(name)
  })

  test('the public address is kept as browsers write it', () => {
    const { PUBLIC_URL } = readSettings({ PUBLIC_URL: 'HTTPS://Shop.Example:443/' })
    expect(PUBLIC_URL).toBe('https://shop.example')
  })

  test('keys of two modes are refused', () => {
    const mixed = {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }
    expect(() => readSettings(mixed)).toThrow(/one mode/)
  })
})
