/**
 * Generates the font subsets for the first paint, `web/fonts/`: the characters of the shop's own
 * texts, in the weights of its design. They have a quarter of the full fonts' size. The browser
 * loads the full font when a page has other characters ('Größe') from an owner:
 * `web/styles/fonts.css` lists the same characters. Run `npm run fonts` after a change of the font
 * packages or these characters, or when the design needs another weight.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
// a single missing character makes a page load the whole font
const own = `${printable}\u00a0©°·×–—‘’“”…″→−`

// Features that browsers apply by default, and tabular figures. Without kerning, which is two
// fifths of a font: lines become about 1% wider or narrower. Also without small capitals, fractions
// and the like, which are an eighth.
const keepFeatures = ['calt', 'ccmp', 'clig', 'liga', 'locl', 'mark', 'mkmk', 'rlig', 'tnum']

/* Each weight is a separate file: on a slow connection, six files load in parallel, and one of less
   than 8 kB takes two round trips. */
const fonts = [
  // between semibold and bold, so that one weight serves both kinds of headings
  { name: 'bricolage', from: 'bricolage-grotesque', wght: 650 },
  { name: 'instrument', from: 'instrument-sans', wght: 400 },
  { name: 'instrument-semibold', from: 'instrument-sans', wght: 600 },
  // between regular and semibold, so that one weight serves small labels and figures
  { name: 'geist', from: 'geist-mono', wght: 500 },
]

const folder = new URL('../web/fonts/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const { name, from, wght } of fonts) {
  const path = `@fontsource-variable/${from}/files/${from}-latin-wght-normal.woff2`
  const whole = await readFile(fileURLToPath(import.meta.resolve(path)))
  // a separate variable, because the package's types do not include `keepFeatures` yet
  const options = {
    targetFormat: /** @type {const} */ ('woff2'),
    variationAxes: { wght },
    keepFeatures,
  }
  const cut = await subsetFont(whole, own, options)
  await writeFile(new URL(`${name}.woff2`, folder), cut)
  console.log(`${name}.woff2: ${whole.length} bytes, now ${cut.length}`)
}
