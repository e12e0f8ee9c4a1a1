/**
 * Booking times with and without concurrent picture encoding. The same rate alternates between
 * both, from one sender, so that other load on the machine affects both equally.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import sharp from 'sharp'
import { stockPart } from '#tests/support/stock.ts'
import { makeCustomers, sendAtRate } from './booking-load.ts'
import { middle } from './measure.ts'

/** Far below the shop's capacity, so that any delay comes from the encoder. */
const rate = 40
const seconds = 4
const rounds = 5
/** More than the shop encodes during the measurement. */
const pictures = 60
const width = 1600

/** Queues pictures of noise, which takes the most work to encode. */
async function queuePictures(pool: Pool, partId: string): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const create = { width, height: width, channels: 3, background: '#808080', noise } as const
  const picture = await sharp({ create }).jpeg().toBuffer()
  for (let i = 0; i < pictures; i += 1)
    await pool.query(
      `with queued as (
         insert into picture_queue (part_id, name, content, place, created_by)
         select $1, 'bench.jpg', encode(sha256($2), 'hex'), 0, _id from users limit 1 returning _id)
       insert into picture_files select _id, $2 from queued`,
      [partId, Buffer.concat([picture, randomBytes(8)])],
    )
}

/** Starts the queue, or pauses it and waits for the current picture. */
async function hold(pool: Pool, isHeld: boolean): Promise<void> {
  await pool.query(
    `update picture_queue set next_attempt_at = now() + $1::interval where added_at is null`,
    [isHeld ? '1 hour' : '0'],
  )
  const condition = isHeld ? 'taken_until is null' : 'taken_until is not null'
  const until = `select 1 from picture_queue having ${isHeld ? `bool_and(${condition})` : `bool_or(${condition})`}`
  while ((await pool.query(until)).rows.length === 0) await pause(100)
}

type Shop = { origin: string; folder: string; pool: Pool }

/** @returns the times of a booking with and without encoding: the median and the 95th percentile */
export async function besideEncoding({ origin, folder, pool }: Shop) {
  const customers = await makeCustomers(pool, { folder, origin, count: 2_000, group: 'encoding' })
  const part = await stockPart(pool, { onHand: rate * seconds * rounds * 3 })
  const { _id: picturedId } = await stockPart(pool, { onHand: 1 })
  await queuePictures(pool, picturedId)
  let requestCount = 0
  const make = () => {
    requestCount += 1
    const token = customers[requestCount % customers.length]?.token ?? ''
    const body = JSON.stringify({ partId: part._id, quantity: 1, phone: '+1 555 0100' })
    return { token, key: randomUUID(), body }
  }
  const times = async () => {
    const { answers } = await sendAtRate(origin, { rate, seconds, make })
    const failure = answers.find(({ status }) => status !== 200)
    if (failure) throw new Error(`a booking was answered ${failure.status} ${failure.code}`)
    const ms = answers.map((answer) => answer.ms).toSorted((a, b) => a - b)
    return [0.5, 0.95].map((share) => ms[Math.floor(ms.length * share)] ?? 0)
  }
  const shares: number[][] = []
  for (let round = 0; round < rounds; round += 1) {
    await hold(pool, true)
    const without = await times()
    await hold(pool, false)
    const beside = await times()
    shares.push(beside.map((ms, i) => ms / (without[i] ?? ms)))
  }
  await pool.query('delete from picture_queue where added_at is null')
  const [p50 = 0, p95 = 0] = [0, 1].map((i) => middle(shares.map((share) => share[i] ?? 0)))
  return { p50, p95 }
}
