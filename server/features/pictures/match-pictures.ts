/** Matches file names to parts. Distributors name pictures by a number of the part. */
import { isNull } from 'drizzle-orm'
import { comparable } from '#contracts/kinds.ts'
import { matchedBy, type PictureMatches } from '#contracts/picture-queue.ts'
import type { Queryable } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'

type Match = PictureMatches[number]
/** The texts by which a part can be matched. */
type PartKeys = Record<(typeof matchedBy)[number] | '_id', string>

/**
 * Reduces a text to letters and digits, because file names cannot contain all characters of part
 * numbers, such as a slash.
 */
const bare = (text: string) => comparable(text).replaceAll('.', '')
/** Removes leading zeros: 0004006381333931 is the EAN 4006381333931. */
const digits = (text: string) => text.replace(/^0+/, '')
const keyOf = (by: keyof PartKeys, text: string) => (by === 'gtin' ? digits(text) : bare(text))

/**
 * The part keys that a file name may contain, the most likely first, each with the picture's
 * position among those of its part.
 */
function candidates(name: string): { key: string; place: number }[] {
  const segments = name.split(/[/\\]/)
  const stem = (segments.at(-1) ?? '').replace(/\.[^.]+$/, '')
  const [found = '', end] = /[\s._(-](\d{1,2})\)?$/.exec(stem) ?? []
  const start = stem.slice(0, stem.length - found.length)
  const folder = segments.at(-2)
  // FAN-140/2.jpg is the second picture of part FAN-140, not a picture of part 2
  const isCount = /^\d{1,2}$/.test(stem)
  if (folder && isCount) return [{ key: folder, place: Number(stem) }]
  return [
    { key: stem, place: 0 },
    ...(start && end ? [{ key: start, place: Number(end) }] : []),
    ...(folder ? [{ key: folder, place: 50 }] : []),
  ]
}

/** Finds the parts of file names. @returns one match per name, in the same order */
export async function matchPictures(db: Queryable, names: string[]): Promise<PictureMatches> {
  const { _id, name, sku, mpn, gtin, number } = parts
  const rows = await db
    .select({ _id, name, sku, mpn, gtin, number })
    .from(parts)
    .where(isNull(parts.deletedAt))
  const allParts: PartKeys[] = rows.map((row) => ({ ...row, number: String(row.number) }))
  const byKey = new Map(
    matchedBy.map((by) => [by, Map.groupBy(allParts, (part) => keyOf(by, part[by]))] as const),
  )
  const find = (key: string, place: number): Match | undefined => {
    for (const by of matchedBy) {
      const plain = keyOf(by, key)
      const matches = plain ? byKey.get(by)?.get(plain) : undefined
      if (matches) {
        const shown = matches.slice(0, 20).map(({ _id, name }) => ({ _id, name }))
        return { by, place, parts: shown }
      }
    }
    return undefined
  }
  return names.map((each) => {
    for (const { key, place } of candidates(each)) {
      const match = find(key, place)
      if (match) return match
    }
    return { by: null, place: 0, parts: [] }
  })
}
