// npm run drawings: renders the shop's own drawings (SVG) to the WebP files that it serves, in the
// same folder.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { inRoot } from './run.js'

const folder = inRoot('server/adapters/images/drawings')
const drawnAt = 800

for (const name of readdirSync(folder).filter((file) => file.endsWith('.svg'))) {
  const svg = readFileSync(path.join(folder, name))
  for (const width of [480, 960]) {
    await sharp(svg, { density: (72 * width) / drawnAt })
      .webp({ quality: 78, effort: 4 })
      .toFile(path.join(folder, `${path.parse(name).name}-${width}.webp`))
  }
}
