import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync('{contracts,server,web,sandbox}/**/*.{ts,tsx,js}', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()
const source = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

test('no folder or file has a name that says nothing', () => {
  const vague = /(^|[/-])(utils?|helpers?|common|misc|manager|service|controller)s?([/.-]|$)/
  expect(files.filter((file) => vague.test(file))).toEqual([])
})

describe('forms', () => {
  test('are all made by one component, which keeps what is typed out of addresses', () => {
    const made = files.filter(
      (file) => /^web\//.test(file) && /<form\b/.test(source.get(file) ?? ''),
    )
    // a search belongs into the address
    expect(made.filter((file) => file !== 'web/components/search-box.tsx')).toEqual([
      'web/components/form.tsx',
    ])
    expect(source.get('web/components/form.tsx')).toContain('method="post"')
  })
})

describe('the style sheets', () => {
  const sheets = globSync('web/styles/*.css', { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }))

  test('a class is described in one of them only', () => {
    const homes = new Map<string, Set<string>>()
    for (const { file, text } of sheets)
      for (const [, name = ''] of text.matchAll(/^ {2}\.([\w-]+) \{$/gm))
        homes.set(name, (homes.get(name) ?? new Set()).add(file))
    expect(homes.size).toBeGreaterThan(0)
    expect([...homes].filter(([, sheets]) => sheets.size > 1)).toEqual([])
  })
})
