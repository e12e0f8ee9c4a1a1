import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { z } from 'zod'
import { type Drawing, drawingAddress, drawings } from '#contracts/drawings.ts'
import { type Specs, type SpecValue, splitValues } from '#contracts/kinds.ts'
import type { NewPart } from '#contracts/parts.ts'
import { specColumn } from '#contracts/parts-csv.ts'
import type { PartPicture } from '#contracts/pictures.ts'
import { type BuiltinField, builtinKinds } from './kinds.ts'

const folder = join(import.meta.dirname, 'parts')

const isDrawing = (name: string | undefined): name is Drawing =>
  (drawings as readonly (string | undefined)[]).includes(name)

function specValue({ type }: BuiltinField, text: string): SpecValue {
  if (type === 'number') return Number(text)
  if (type === 'yes') return text === 'yes'
  return type === 'many' ? splitValues(text) : text
}

type Line = Record<string, string>

function specsOf(kind: string, line: Line): Specs {
  const fields = Object.entries(builtinKinds[kind]?.fields ?? {})
  const stated = fields.flatMap(([key, field]) => {
    const text = line[specColumn(key)]
    return text ? [[key, specValue(field, text)] as const] : []
  })
  return Object.fromEntries(stated)
}

/** Drawings of the same monitor with different pictures on its screen. */
const screens: Partial<Record<Drawing, string>> = {
  'monitor-desktop': 'its screen with two windows open',
  'monitor-night': 'its screen with a night sky',
  'monitor-sea': 'its screen with a sunset at sea',
}

/** Further pictures for a part with this drawing. */
function otherViews(name: string, drawing: Drawing): PartPicture[] {
  if (!(drawing in screens)) return []
  return (Object.entries(screens) as [Drawing, string][])
    .filter(([other]) => other !== drawing)
    .map(([other, shows]) => ({ image: drawingAddress(other), alt: `${name}, ${shows}` }))
}

function partOf(kind: string, line: Line) {
  const { name = '', brand = '', mpn = '', description = '', drawing } = line
  if (!isDrawing(drawing)) throw new Error(`${name}: there is no drawing ${drawing}`)
  return {
    name,
    kind,
    brand,
    mpn,
    description,
    specs: specsOf(kind, line),
    image: drawingAddress(drawing),
    morePictures: otherViews(name, drawing),
    price: Number(line.price),
    minimumOrderQuantity: Number(line.minimumOrderQuantity),
    onHand: Number(line.availableQuantity),
  } satisfies Omit<z.input<typeof NewPart>, 'availableQuantity'> & { onHand: number }
}

/**
 * The demo parts that share the shop's drawings. `parts/` has a CSV file for each kind, with the
 * columns of an import of parts and `drawing`.
 */
export function drawnParts() {
  return Object.keys(builtinKinds).flatMap((kind) => {
    const file = `${kind.replaceAll(' ', '-')}.csv`
    if (!readdirSync(folder).includes(file)) return []
    const lines: Line[] = parse(readFileSync(join(folder, file)), { columns: true })
    return lines.map((line) => partOf(kind, line))
  })
}
