import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
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

test('the name of the sample stands in one place, so a shop with another name has it nowhere', () => {
  const isComment = /^\s*(\*|\/\/|\/\*|\{\/\*)/
  const named = [...source]
    .filter(([file]) => !file.startsWith('sandbox/'))
    .flatMap(([file, text]) =>
      text
        .split('\n')
        .filter((line) => /\bFerrite\b/.test(line) && !isComment.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    // what the program says of itself to the owner's terminal, to databases and to other servers
    .filter((line) => !/^server\/(?!(features|mail|http)\/)/.test(line))
  expect(named).toEqual(["contracts/shop.ts: export const sampleName = 'Ferrite'"])
})

test('a script of the shop that is loaded late gives up in the end', () => {
  const bare = [...source].filter(([file, text]) => {
    const imports = text.match(/(?<!withTimeout\(\(\) => )\bimport\('/g) ?? []
    // the root's lazy imports are loaded ahead of use
    return file.startsWith('web/') && file !== 'web/root.tsx' && imports.length > 0
  })
  expect(bare.map(([file]) => file)).toEqual([])
})

describe('forms', () => {
  test('are all made by one component, which keeps what is typed out of addresses', () => {
    const formFiles = files.filter(
      (file) => /^web\//.test(file) && /<form\b/.test(source.get(file) ?? ''),
    )
    // their answers belong in the URL
    const questions = [
      'web/components/list-tools.tsx',
      'web/features/catalogue/compare-link.tsx',
      'web/features/search/filter-form.tsx',
      'web/features/search/search-field.tsx',
    ]
    expect(formFiles.filter((file) => !questions.includes(file))).toEqual([
      'web/components/form.tsx',
    ])
    expect(source.get('web/components/form.tsx')).toContain('method="post"')
  })
})

/** All files under web/ that a file imports directly, indirectly or lazily, and the file itself. */
function reach(file: string, into = new Set<string>()): Set<string> {
  if (into.has(file) || !source.has(file)) return into
  into.add(file)
  for (const [, path = ''] of (source.get(file) ?? '').matchAll(/(?:from|import)[ (]'([^']+)'/g)) {
    if (path.startsWith('#web/')) reach(path.slice(1), into)
    if (path.startsWith('./')) reach(posix.join(posix.dirname(file), path), into)
  }
  return into
}

/** The screens of all routes outside the dashboard. */
function publicScreens(): string[] {
  const routes = source.get('web/routes.ts') ?? ''
  const others = routes.replace(/ {4}route\('dashboard'[\s\S]*?\n {4}\]\),/, '')
  return [...others.matchAll(/'((?:pages|features|shell)\/[^']+)'/g)].map(
    ([, path]) => `web/${path}`,
  )
}

describe('the style sheets', () => {
  test('the sheet of every page has the utilities of whatever a public page shows', () => {
    const sheet = readFileSync(join(root, 'web/app.css'), 'utf8')
    const leftOut = [...sheet.matchAll(/@source not "\.\/(.+)"/g)].map(([, glob]) => `web/${glob}`)
    const ofDashboard = new Set(globSync(leftOut, { cwd: root }))
    expect(ofDashboard.size).toBeGreaterThan(0)
    const seen = new Set<string>()
    for (const file of ['web/root.tsx', ...publicScreens()]) reach(file, seen)
    const screens = [...seen].filter((file) => file.endsWith('.tsx'))
    expect(screens).toContain('web/components/button.tsx')
    expect(screens).not.toContain('web/shell/dashboard.tsx')
    expect(screens.filter((file) => ofDashboard.has(file))).toEqual([])
  })

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
