/** Draws public/*.png and favicon.ico anew from the mark and the drawings: node scripts/draw-icons.js */
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { ensureBrowser } from './browser.js'
import { inRoot } from './run.js'

const PAPER = '#f1ede6'
const GRAPHITE = '#1d2124'

const mark = readFileSync(inRoot('public', 'favicon.svg'), 'utf8')
  .replace(/<style>.*<\/style>\n/, '')
  .replace('<svg ', `<svg fill="${PAPER}" `)

/** The mark on graphite; `room` is the mark's part of the edge, `round` the corner's radius in parts of 32. */
function tile(size, room, round) {
  const box = 32 / room
  const least = (32 - box) / 2
  const svg = mark
    .replace('viewBox="0 0 32 32"', `viewBox="${least} ${least} ${box} ${box}"`)
    .replace(
      '>\n',
      `>\n<rect x="${least}" y="${least}" width="${box}" height="${box}" rx="${(round * box) / 32}" fill="${GRAPHITE}"/>`,
    )
  return sharp(Buffer.from(svg), { density: (72 * size) / box })
    .resize(size)
    .png({ palette: size > 64, effort: 10 })
    .toBuffer()
}

/** PNGs in an ICO container: a header, one line a picture, the pictures. */
function ico(pictures) {
  const header = Buffer.alloc(6 + 16 * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  for (const [i, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * i
    header.writeUInt8(size, at)
    header.writeUInt8(size, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)])
}

function font(family, file) {
  const data = readFileSync(inRoot('node_modules', '@fontsource-variable', file)).toString('base64')
  return `@font-face{font-family:${family};src:url(data:font/woff2;base64,${data});font-weight:200 800}`
}

function drawing(name) {
  const svg = readFileSync(inRoot('server', 'database', 'seed', 'pictures', `${name}.svg`))
  return `<img src="data:image/svg+xml;base64,${svg.toString('base64')}">`
}

const page = () => `<!doctype html><style>
${font('Display', 'bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2')}
${font('Mono', 'geist-mono/files/geist-mono-latin-wght-normal.woff2')}
*{margin:0;box-sizing:border-box}
body{width:1200px;height:630px;overflow:hidden;display:grid;grid-template:minmax(0,1fr)/530px 1fr;padding:36px;
  background:${GRAPHITE};color:${PAPER};font-family:Display}
main{display:grid;grid-template-rows:auto 1fr auto;padding:28px 0 24px 36px}
header{display:flex;align-items:center;gap:18px;font-size:52px;font-weight:700;letter-spacing:-.03em}
header svg{width:66px;margin-left:-4px}
h1{align-self:center;font-size:80px;line-height:1;letter-spacing:-.04em;font-weight:700}
p{font:500 22px/1.4 Mono;color:#b9bcbe}
section{display:grid;grid-template:minmax(0,1.3fr) minmax(0,1fr)/1fr 1fr;gap:12px}
section div{display:grid;place-items:center;overflow:hidden;border-radius:24px;background:linear-gradient(#efe9e1,#fffdf9)}
section div:first-child{grid-column:span 2}
img{width:94%}
div:first-child img{width:78%}
</style><main><header>${mark}Ferrite</header><h1>Parts that stay honest.</h1><p>Computer parts, booked<br>before they are paid.</p></main>
<section><div>${drawing('cinder-rx-7800-xt')}</div><div>${drawing('basalt-b650i-itx')}</div><div>${drawing('updraft-120')}</div></section>`

async function openGraph() {
  const browser = await chromium.launch({ executablePath: await ensureBrowser() })
  try {
    const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } })
    await tab.setContent(page())
    await tab.evaluate('document.fonts.ready')
    return await sharp(await tab.screenshot())
      .png({ palette: true, colours: 160, effort: 10 })
      .toBuffer()
  } finally {
    await browser.close()
  }
}

const save = (name, data) => writeFileSync(inRoot('public', name), data)
save('icon-192.png', await tile(192, 0.72, 7))
save('icon-512.png', await tile(512, 0.72, 7))
save('icon-maskable-512.png', await tile(512, 0.54, 0))
save('apple-touch-icon.png', await tile(180, 0.66, 0))
const small = [16, 32, 48].map(async (size) => ({
  size,
  png: await tile(size, size === 16 ? 0.86 : 0.78, 7),
}))
save('favicon.ico', ico(await Promise.all(small)))
save('og.png', await openGraph())
