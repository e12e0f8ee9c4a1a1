/** What pages for visitors read of a user's machine, late. */
import { fitPartsOf, judgeCandidates } from '#contracts/fit.ts'
import type { Fit } from '#contracts/part-lists.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { fitPartsIn } from './next-parts.ts'
import { machineQuery } from './queries.ts'

const machineOf = (email: string) => browserQueryClient().fetchQuery(machineQuery(email))

export type InMachine = { isIn: boolean; fit?: Fit | undefined }

/** Whether a part is in the machine, or the deciding verdict on it as the next part. */
export async function fitOfMachine(email: string, number: number): Promise<InMachine> {
  const { machine } = await machineOf(email)
  if (machine.length === 0) return { isIn: false }
  if (machine.some((part) => part.number === number)) return { isIn: true }
  const query = { parts: String(number) }
  const { parts } = await (await api.basket.$get({ query })).json()
  const [candidate] = fitPartsOf(
    parts.map((part) => ({ quantity: part.minimumOrderQuantity, part })),
  )
  const verdict = candidate && judgeCandidates(fitPartsIn(machine), candidate.kind)(candidate)
  return { isIn: false, fit: verdict && { level: verdict.level, text: verdict.say() } }
}

/** Adds a part that the user has already. */
export async function haveAlready(number: number): Promise<void> {
  try {
    await api.me.machine.$post({ json: { number, quantity: 1 } })
    void toast('success', 'Added to your machine')
  } catch (error) {
    void toast('error', error instanceof Error ? error.message : 'It wasn’t added. Try again.')
    throw error
  } finally {
    await outdate(browserQueryClient(), 'changeMachine')
  }
}

/** The parts of the machine that a list of this kind can compare with, as in an address. */
export async function machineLines(email: string, slug: string) {
  const { machine, lines, kinds } = await machineOf(email)
  // what was entered by its facts has no place in an address, and a list without it would be wrong
  const isWhole = machine.every(({ number }) => number !== null)
  return isWhole && kinds.some((kind) => kind.slug === slug) ? lines : []
}
