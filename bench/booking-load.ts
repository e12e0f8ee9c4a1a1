import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { accessTokens } from '#server/http/auth.ts'
import { readSecrets } from '#server/secrets.ts'

export type BookingCall = { token: string; key: string; body: string }
/**
 * `status` is 0 without a response; `ms` counts from the moment when the request should have been
 * sent.
 */
export type Answered = {
  call: BookingCall
  status: number
  code: string
  retryAfter: boolean
  ms: number
}

const timeoutMs = 60_000

/** Sends one booking. Never throws. */
export function book(url: URL, agent: Agent, call: BookingCall, meant: number): Promise<Answered> {
  return new Promise((resolve) => {
    const end = (status: number, code: string, retryAfter = false) =>
      resolve({ call, status, code, retryAfter, ms: performance.now() - meant })
    const headers = {
      authorization: `Bearer ${call.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(call.body),
      'idempotency-key': call.key,
    }
    const outgoing = request(
      url,
      { method: 'POST', agent, headers, timeout: timeoutMs },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('error', () => end(0, 'CUT OFF'))
        answer.on('end', () => {
          const { statusCode = 0, headers: got } = answer
          end(statusCode, codeOf(text), got['retry-after'] !== undefined)
        })
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('error', (error) => end(0, error.message))
    outgoing.end(call.body)
  })
}

/** An order's id, or a refusal's code. */
function codeOf(text: string): string {
  try {
    const { insertedId, error } = JSON.parse(text)
    return insertedId ?? error.code
  } catch {
    return 'NO JSON'
  }
}

/**
 * Sends bookings at a fixed rate, without waiting for earlier responses, so a slow shop gets as
 * many.
 * @param rate per second @returns every response, and how far the sender fell behind its schedule,
 * in milliseconds
 */
export async function sendAtRate(
  origin: string,
  { rate, seconds, make }: { rate: number; seconds: number; make: (i: number) => BookingCall },
): Promise<{ answers: Answered[]; lateMs: number }> {
  const url = new URL('/api/order', origin)
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: 1_000 })
  const began = performance.now()
  const total = rate * seconds
  const answers: Promise<Answered>[] = []
  let lateMs = 0
  await new Promise<void>((resolve) => {
    const send = () => {
      const now = performance.now()
      for (let i = answers.length; i < total; i += 1) {
        const meant = began + (i * 1000) / rate
        if (meant > now) break
        lateMs = Math.max(lateMs, now - meant)
        answers.push(book(url, agent, make(i), meant))
      }
      if (answers.length < total) setTimeout(send, 1)
      else resolve()
    }
    send()
  })
  const all = await Promise.all(answers)
  agent.destroy()
  return { answers: all, lateMs }
}

/**
 * Customers with their tokens. Their rows are inserted directly, because hashing thousands of
 * passwords proves nothing about booking.
 * @param folder the shop’s data @param group each group has its own customers, because holds of one
 * group count against its limits
 */
export async function makeCustomers(
  pool: Pool,
  {
    folder,
    origin,
    count,
    group = 'bookings',
  }: { folder: string; origin: string; count: number; group?: string },
): Promise<{ userId: string; token: string }[]> {
  const { rows } = await pool.query<{ _id: string; email: string; name: string }>(
    `insert into users (issuer, subject, email, name, email_verified)
     select $2, n, concat('bench.', n, '@', $3::text, '.example'), 'Customer ' || n, true from generate_series(1, $1) n
     on conflict (issuer, subject) do update set name = excluded.name returning _id, email, name`,
    [count, `bench of ${group} at ${origin}`, group],
  )
  const secrets = await readSecrets(undefined, join(folder, 'secrets'))
  const tokens = accessTokens(secrets.derive('access-token'), origin)
  return Promise.all(
    rows.map(async ({ _id: userId, email, name }) => ({
      userId,
      token: await tokens.issue({ userId, sessionId: userId, version: 0 }, { name, email }),
    })),
  )
}
