import type { ClientBase } from 'pg'
import type { Params } from './form.ts'

/** The API version this account is pinned to. */
export const apiVersion = '2026-10-28.endive'

/** What an event remembers of its cause, and where it is written. */
export type Cause = {
  /** The connection that holds the open transaction. */
  db: ClientBase
  request: { id: string | null; idempotency_key: string | null }
  /** Whether test-only modes may change how events are delivered. */
  controls: boolean
}

/** One authenticated API request. */
export type Call = Cause & {
  params: Params
  publishable: boolean
  /** Keys the fingerprints of card numbers. */
  secretKey: string
}

/** An answer whose effects are kept, whatever its status. */
export type Reply = { status: 200 | 402; body: object }

export const ok = (body: object): Reply => ({ status: 200, body })
