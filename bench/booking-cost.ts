/**
 * The cost of a booking over HTTP compared with the same SQL run directly through `pg`: the
 * processor time of shop and PostgreSQL, against that of driver and PostgreSQL. The sender's own
 * time is not counted.
 */
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { OfferAcceptance } from '#contracts/queue.ts'
import { connect, connectionsFor, type Database, inFewTrips } from '#server/database/client.ts'
import { insertBooking, numberSlot, readForBooking } from '#server/features/orders/booking-store.ts'
import { bookedMail } from '#server/mail/order-mails.ts'
import { stockPart } from '#tests/support/stock.ts'
import { book, makeCustomers } from './booking-load.ts'
import { countOwnWork, countWork, middle, postmasterOf, timed } from './measure.ts'

/** Per round. */
const bookings = 700
const rounds = 5
const lanes = 8
/** Enough customers that none reaches the limit of open orders. */
const count = 2_000
const holdSeconds = 30 * 60
const limitSeconds = 60 * 60
const typed = OfferAcceptance.parse({ phone: '+1 555 0100' })
/** The triggers that maintain the index of parts. */
const indexing = ['parts_describe', 'parts_date_change', 'parts_index']
let mail: ReturnType<typeof bookedMail> | undefined

/** The booking's own transaction directly in PostgreSQL, with its mail rendered in advance. */
const bookDirectly = (db: Database, partId: string, userId: string) =>
  inFewTrips(db, async (client, commitWith) => {
    const key = randomUUID()
    const asker = { userId, key, networks: ['bench'], pauseSeconds: limitSeconds, mostUnits: 1 }
    const { parts } = await readForBooking(client, { partIds: [partId] }, asker, 'free')
    const part = parts[0]?.part
    if (!part) throw new Error('there is no such part')
    const line = { _id: randomUUID(), part, quantity: 1, totalPrice: part.price }
    const checkout = {
      checkoutId: randomUUID(),
      userId,
      customer: 'Bench Customer',
      email: 'bench@example.com',
      ...typed,
      lines: [{ ...line, availableAtLeast: 1 }],
      holdSeconds,
      limitSeconds,
      networks: [],
      idempotencyKey: key,
      requestHash: key,
    }
    const booked = { ...line, product: part.name, price: part.price }
    mail ??= bookedMail(
      {
        customer: checkout.customer,
        holdSeconds,
        limitSeconds,
        lines: [booked],
        number: numberSlot,
      },
      { publicUrl: 'http://127.0.0.1', currency: 'USD' },
    )
    const written = mail
    const isMade = await commitWith(() => insertBooking(client, checkout, written))
    if (!isMade) throw new Error('the part was changed')
  })

type Shop = { origin: string; pid: number | undefined; folder: string; databaseUrl: string }

/** @returns one share and one cost for each line, each the median of the rounds */
export async function bookingCost({ origin, pid = 0, folder, databaseUrl }: Shop) {
  const db = connect(databaseUrl, () => {}, { max: connectionsFor(1) })
  const pool = db.$client
  const url = new URL('/api/order', origin)
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  try {
    const customers = await makeCustomers(pool, { folder, origin, count })
    const parts = await Promise.all(
      Array.from({ length: lanes }, () => stockPart(pool, { onHand: bookings * rounds * lanes })),
    )
    const partOf = (lane: number) => parts[lane]?._id ?? ''
    let used = 0
    /** The next `size` customers, in rotation. */
    const next = (size: number) => {
      used += size
      return Array.from({ length: size }, (_, i) => customers[(used + i) % count])
    }
    const postgres = await postmasterOf(pool)
    const direct = async (size = bookings) => {
      const [database, driver] = [await countWork(postgres), countOwnWork()]
      const who = next(size)
      await timed(size, lanes, (i, lane) => bookDirectly(db, partOf(lane), who[i]?.userId ?? ''))
      return (driver() + (await database())) / size
    }
    const byHttp = async (partIn = partOf, size = bookings) => {
      const who = next(size)
      const [database, shop] = [await countWork(postgres), await countWork(pid)]
      const ms = await timed(size, lanes, async (i, lane) => {
        const token = who[i]?.token ?? ''
        const body = JSON.stringify({ partId: partIn(lane), quantity: 1, ...typed })
        const call = { token, key: randomUUID(), body }
        const { status, code } = await book(url, agent, call, performance.now())
        if (status !== 200) throw new Error(`a booking was answered ${status} ${code}`)
      })
      return { ms, shop: (await shop()) / size, database: (await database()) / size }
    }
    const turn = (how: 'enable' | 'disable') =>
      pool.query(indexing.map((name) => `alter table parts ${how} trigger ${name}`).join(';'))
    /**
     * Direct bookings with or without the index. After the switch, each connection plans again,
     * which is not measured.
     */
    const directly = async (how: 'enable' | 'disable') => {
      await turn(how)
      await direct(200)
      return direct()
    }
    await byHttp(partOf, 400)
    await direct(200)
    const measured: Record<'share' | 'hot' | 'shop' | 'database', number>[] = []
    for (let round = 0; round < rounds; round += 1) {
      const least = await direct()
      const many = await byHttp()
      const one = await byHttp(() => partOf(0))
      const { shop, database } = many
      measured.push({ share: least / (shop + database), hot: many.ms / one.ms, shop, database })
    }
    const indexed: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      // the second run has larger tables than the first
      const [first, second] = [await directly('disable'), await directly('enable')]
      const third = await directly('disable')
      indexed.push(second / ((first + third) / 2))
    }
    await turn('enable')
    return {
      share: middle(measured.map(({ share }) => share)),
      indexed: middle(indexed),
      hot: middle(measured.map(({ hot }) => hot)),
      shopMs: middle(measured.map(({ shop }) => shop)),
      databaseMs: middle(measured.map(({ database }) => database)),
    }
  } finally {
    agent.destroy()
    await pool.end()
  }
}
