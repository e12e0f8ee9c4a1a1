import type { z } from 'zod'
import type { ListAddress } from './use-list-address.ts'

/**
 * What the address asks of a list, as the list's contract takes it. A value that the contract refuses is left out: an
 * address may have been typed by hand.
 */
export function filterOf<S extends z.ZodObject>(
  schema: S,
  address: Pick<ListAddress, 'read'>,
): z.output<S> {
  const asked = Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = address.read(name)
    return value && (field as z.ZodType).safeParse(value).success ? [[name, value]] : []
  })
  return schema.parse(Object.fromEntries(asked))
}
