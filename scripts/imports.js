// npm run imports: writes biome.imports.json, which restricts each folder's internal imports to
// this list. `npm run check` fails while the two differ.
import { readFileSync, writeFileSync } from 'node:fs'

const file = 'biome.imports.json'

/**
 * What each feature may import from other features. A feature without an entry imports none.
 * @type {Record<string, Record<string, string[]>>}
 */
const features = {
  server: {
    catalogue: ['fit', 'imports', 'pictures', 'search'],
    imports: ['catalogue', 'pictures'],
    desk: ['orders', 'tickets'],
    orders: ['desk', 'invoices', 'payments', 'settings', 'shipping', 'tickets'],
    invoices: ['orders', 'settings'],
    machine: ['fit'],
    overview: ['orders', 'settings', 'shipping'],
    payments: ['invoices', 'orders', 'shipping', 'tickets'],
    pictures: ['catalogue'],
    queue: ['orders'],
    reconciliation: ['orders', 'payments'],
    search: ['catalogue', 'fit'],
    settings: ['pictures'],
    shipping: ['orders', 'payments', 'settings'],
    tickets: ['orders', 'pictures', 'settings'],
    users: ['builds', 'invoices', 'machine', 'orders', 'reviews', 'shipping', 'tickets'],
  },
  web: {
    builds: ['basket'],
    catalogue: ['basket', 'machine', 'pictures'],
    home: ['catalogue'],
    imports: ['catalogue'],
    invoices: ['orders'],
    kinds: ['catalogue'],
    machine: ['builds'],
    orders: ['catalogue', 'desk', 'shipping', 'tickets'],
    payments: ['orders', 'shipping'],
    pictures: ['catalogue', 'imports'],
    search: ['basket', 'catalogue', 'machine'],
    tickets: ['orders', 'users'],
    users: ['desk', 'shipping'],
  },
}

const ports = 'server/adapters/*/port.ts'
/** What every feature may import besides its own folder. @type {Record<string, string[]>} */
const common = {
  server: [
    'contracts',
    'server/database',
    'server/http',
    'server/mail',
    'server/errors.ts',
    'server/log.ts',
    'server/own-process.ts',
    'server/version.ts',
    ports,
  ],
  web: ['contracts', 'web/components', 'web/lib', 'web/styles'],
}

/**
 * The internal imports that each folder or file may have; `-` removes one. A later line replaces an
 * earlier one for the same files.
 * @type {[name: string, ours: string[]][]}
 */
const table = [
  ['web', ['contracts', 'web']],
  ['web/components', ['contracts', 'web/components', 'web/lib']],
  ['web/lib', ['contracts', 'web/components', 'web/lib']],
  // only the wiring may choose adapters and sandboxes
  ['server', ['contracts', 'scripts', 'server', '-server/adapters', ports, 'sandbox/*/schema.ts']],
  ['server/wiring.ts', ['contracts', 'server', 'sandbox']],
  [
    'server/adapters',
    ['contracts', 'server/errors.ts', 'server/adapters/internet.ts', 'server/own-process.ts'],
  ],
  [
    'server/database',
    ['contracts', 'server/database', 'server/data-folder.ts', 'server/errors.ts', ports],
  ],
  ...['server', 'web'].flatMap((side) => {
    const folder = `${side}/features`
    const of = (/** @type {string[]} */ others) => [
      ...(common[side] ?? []),
      ...others.map((other) => `${folder}/${other}`),
    ]
    return /** @type {[string, string[]][]} */ ([
      [`${folder}/*`, of([])],
      ...Object.entries(features[side] ?? {}).map(([name, others]) => [
        `${folder}/${name}`,
        of(others),
      ]),
    ])
  }),
  // its owner begins with the shop's own texts
  ['web/features/settings', [...(common.web ?? []), 'web/content', 'web/features/shipping']],
  ['sandbox', ['sandbox']],
]

/** All that these folders may use. @type {Record<string, string[]>} */
const few = {
  contracts: ['zod', 'iso-3166', 'localized-address-format'],
  'web/content': [
    'react',
    'react-router',
    '#contracts/shop.ts',
    '#contracts/texts.ts',
    '#web/lib/use-shop.ts',
  ],
}

const isFile = (/** @type {string} */ name) => name.endsWith('.ts')
const below = (/** @type {string} */ name) => (isFile(name) ? `#${name}` : `#${name}/**`)

/** A Biome rule for a folder or file. */
function rule(
  /** @type {string} */ name,
  /** @type {string[]} */ group,
  /** @type {string} */ may,
) {
  const message = `${name} imports ${may}: see scripts/imports.js. A relative import stays in its folder; everything else starts with #.`
  const options = { patterns: [{ group, message }] }
  return {
    // web/lib/api.ts is the only file that imports the API's types
    includes: [isFile(name) ? name : `${name}/**`, '!web/lib/api.ts', '!**/*.test.{ts,tsx}'],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } },
  }
}

const inFolder = ['../**', './*/**', '!./+types/*']
const overrides = [
  ...table.map(([name, ours]) =>
    rule(
      name,
      [
        ...inFolder,
        '#*/**',
        ...ours.map((one) => (one.startsWith('-') ? below(one.slice(1)) : `!${below(one)}`)),
      ],
      `of ours ${ours.filter((one) => !one.startsWith('-')).join(', ')}`,
    ),
  ),
  ...Object.entries(few).map(([name, these]) =>
    rule(name, ['**', ...these.map((one) => `!${one}`), '!./*'], `${these.join(', ')} and itself`),
  ),
]

const text = `${JSON.stringify({ overrides }, null, 2)}\n`
if (process.argv[2] !== '--check') writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error(`${file} is not what scripts/imports.js says: npm run imports writes it.`)
  process.exitCode = 1
}
