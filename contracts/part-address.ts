/**
 * The address of a part: `/part/1042-cinder-rx-7600`. Only the number identifies the part; the name
 * is for readers.
 */
import { plainLetters } from './plain-letters.ts'

/** The lower-case letters and digits of a name, with `-` between words. */
const slugOf = (name: string): string =>
  plainLetters(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, '') || 'part'

export const partPath = ({ number, name }: { number: number; name: string }): string =>
  `/part/${number}-${slugOf(name)}`
