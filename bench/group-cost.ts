/** What a checkout of eight parts costs, of a single booking: the times that a customer waits. */
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import type { Pool } from 'pg'
import { stockPart } from '#tests/support/stock.ts'
import { book, makeCustomers } from './booking-load.ts'
import { middle } from './measure.ts'

const lines = 8
/** Of each. The first ones warm up. */
const bookings = 150
const warmUp = 50
const phone = '+1 555 0100'

type Shop = { origin: string; folder: string; pool: Pool }

/** @returns the medians in milliseconds, measured in turn */
export async function groupCost({ origin, folder, pool }: Shop) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const customers = await makeCustomers(pool, {
    ...{ folder, origin, count: bookings * 2, group: 'groups' },
  })
  const parts = await Promise.all(
    Array.from({ length: lines }, () => stockPart(pool, { onHand: bookings * 100 })),
  )
  const wanted = parts.map(({ _id: partId }) => ({ partId, quantity: 1 }))
  const send = async (path: string, body: object, i: number) => {
    const call = {
      token: customers[i]?.token ?? '',
      key: randomUUID(),
      body: JSON.stringify({ ...body, phone }),
    }
    const answer = await book(new URL(path, origin), agent, call, performance.now())
    if (answer.status !== 200) throw new Error(`a booking was answered ${answer.code}`)
    return answer.ms
  }
  const [single, group]: [number[], number[]] = [[], []]
  try {
    for (let i = 0; i < bookings; i += 1) {
      single.push(await send('/api/order', wanted[0] ?? {}, 2 * i))
      group.push(await send('/api/orders', { lines: wanted }, 2 * i + 1))
    }
  } finally {
    agent.destroy()
  }
  return { single: middle(single.slice(warmUp)), group: middle(group.slice(warmUp)) }
}
