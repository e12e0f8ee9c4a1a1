import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawings } from '#contracts/drawings.ts'
import { picturedParts } from './content.ts'

const folder = join(import.meta.dirname, '../../adapters/images/drawings')
const files = readdirSync(folder)

// graphite, steel, paper, copper, brass, board green, evening sky: each from dark to light
const palette = `
  #101315 #23292e #333b41 #444e55 #5a666e #7a8790 #a1acb2
  #9aa1a2 #bcc1bf #d8d9d4
  #b3aa9b #ddd6ca #f1ede6
  #7a3810 #a84f17 #cc6e2f #e8935a #f6bd91
  #7d5b20 #b8893a #d9b25f #f0d8a0
  #123c2c #18533d #1f6a4d #2d8463 #5fae8b
  #16222b #22323d #2f4654 #46677a #7d9aa8`.match(/#[0-9a-f]{6}/g)

test('every drawing has its source and both renderings, and nothing else is there', () => {
  const expected = drawings.flatMap((name) => [
    `${name}-480.webp`,
    `${name}-960.webp`,
    `${name}.svg`,
  ])
  expect(files.toSorted()).toEqual(expected.toSorted())
})

test('no two parts of the demo’s first share a drawing', () => {
  expect(new Set(picturedParts.map(({ drawing }) => drawing)).size).toBe(picturedParts.length)
})

const svgs = files.filter((name) => name.endsWith('.svg'))

describe.each(svgs)('the drawing %s', (file) => {
  const svg = readFileSync(join(folder, file), 'utf8')

  test('has only shapes: no text that needs a font, no script, no style, no external file', () => {
    const elements = [...svg.matchAll(/<([a-zA-Z]+)/g)].map(([, element]) => element)
    const shapes = 'svg g defs use path rect circle clipPath pattern'.split(' ')
    expect(elements.filter((element) => !shapes.includes(element ?? ''))).toEqual([])
    const links = [...svg.matchAll(/(?:href="|url\()([^")]*)/g)].map(([, link]) => link ?? '')
    expect(
      links.filter((link) => !svg.includes(`id="${link.slice(1)}"`) || link[0] !== '#'),
    ).toEqual([])
  })

  test('uses the palette of the set and stays small', () => {
    const colours = svg.match(/#[0-9a-f]{3,8}(?=")/g) ?? []
    const paints = colours.filter((colour) => !svg.includes(`href="${colour}"`))
    expect(paints.filter((colour) => !palette?.includes(colour))).toEqual([])
    expect(svg.length).toBeLessThanOrEqual(12 * 1024)
  })

  test('fills a frame of 4:3 and leaves its edge free', async () => {
    const { data, info } = await sharp(Buffer.from(svg), { density: 18 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels]).toEqual([200, 150, 4])
    const inked = (x: number, y: number) => (data[(y * info.width + x) * 4 + 3] ?? 0) > 0
    const margin = 4
    const edge = [...Array(info.width * info.height).keys()].filter((at) => {
      const [x, y] = [at % info.width, Math.floor(at / info.width)]
      const outside =
        Math.min(x, info.width - 1 - x) < margin || Math.min(y, info.height - 1 - y) < margin
      return outside && inked(x, y)
    })
    expect(edge).toEqual([])
  })
})
