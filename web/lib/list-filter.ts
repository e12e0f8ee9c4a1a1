import type { z } from 'zod'
import { searchable } from '#contracts/lists.ts'
import type { ListAddress } from './use-list-address.ts'

/**
 * What the address asks of a list, as the list's contract takes it: of a long search its first words. A value that the
 * contract refuses is left out, because an address may have been typed by hand.
 */
export function filterOf<S extends z.ZodObject>(
  schema: S,
  address: Pick<ListAddress, 'read'>,
): z.output<S> {
  const asked = Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = name === 'q' ? searchable(address.read(name)) : address.read(name)
    return value && (field as z.ZodType).safeParse(value).success ? [[name, value]] : []
  })
  const all = schema.safeParse(Object.fromEntries(asked))
  if (all.success) return all.data
  // each is right alone, but not beside another: a last day before the first
  const wrong = all.error.issues.map(({ path: [name] }) => name)
  return schema.parse(Object.fromEntries(asked.filter(([name]) => !wrong.includes(name))))
}
