// npm run licences: writes docs/licences.md, the list of the shop's packages, from
// package-lock.json.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockedFor } from './lock.js'

const inRoot = (/** @type {string} */ file) => path.join(import.meta.dirname, '..', file)

/** The text of docs/licences.md. */
export function licences() {
  const { dependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
  const rows = Object.entries(lockedFor(Object.keys(dependencies), packages)).map(
    ([place, { version, license }]) => [
      place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license ?? 'see the package',
    ],
  )
  const lines = [...new Set(rows.map((row) => `| ${row.join(' | ')} |`))].sort()
  return `# Licences

The shop is under the [MIT licence](../LICENSE). It consists of these packages too; \`npm run build\` puts the texts of the
licences of all that it bundles into \`dist/licences.md\`, and \`npm run -s sbom\` prints a bill of materials (CycloneDX).
\`npm run licences\` writes this page from \`package-lock.json\`.

| package | version | licence |
| ------- | ------- | ------- |
${lines.join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(inRoot('docs/licences.md'), licences())
}
