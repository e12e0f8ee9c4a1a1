/**
 * Cuts the fonts of the first paint, `web/fonts/`, out of the whole ones: the characters that the shop's own texts are
 * written in, in the weights that its design uses. They are a quarter of the whole ones. What an owner writes beyond them
 * ('Größe') is loaded when it is there: `web/styles/fonts.css` names the same characters. Run after a change of the fonts'
 * packages, of those characters, or of a design that needs another weight: `npm run fonts`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
// one character that is missing costs a page the whole font
const own = `${printable}\u00a0©°·×–—‘’“”…″→−`

// what a browser applies by itself, and figures of one width. Not kerning, which is two fifths of a font: lines are a
// hundredth wider or narrower without it. Nor small capitals, fractions and the like: an eighth
const keepFeatures = ['calt', 'ccmp', 'clig', 'liga', 'locl', 'mark', 'mkmk', 'rlig', 'tnum']

/*
 * Each weight is a file of its own: on a slow line six files come side by side, and one of less than 8 kB in two round
 * trips.
 */
const fonts = [
  // between semibold and bold: one weight serves the headings of both
  { name: 'bricolage', from: 'bricolage-grotesque', wght: 650 },
  { name: 'instrument', from: 'instrument-sans', wght: 400 },
  { name: 'instrument-semibold', from: 'instrument-sans', wght: 600 },
  // between regular and semibold: one weight serves small labels and figures
  { name: 'geist', from: 'geist-mono', wght: 500 },
]

const folder = new URL('../web/fonts/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const { name, from, wght } of fonts) {
  const path = `@fontsource-variable/${from}/files/${from}-latin-wght-normal.woff2`
  const whole = await readFile(fileURLToPath(import.meta.resolve(path)))
  // a value of its own: the package's types do not know `keepFeatures` yet
  const options = {
    targetFormat: /** @type {const} */ ('woff2'),
    variationAxes: { wght },
    keepFeatures,
  }
  const cut = await subsetFont(whole, own, options)
  await writeFile(new URL(`${name}.woff2`, folder), cut)
  console.log(`${name}.woff2: ${whole.length} bytes, now ${cut.length}`)
}
