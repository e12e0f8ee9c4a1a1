import type { ClientBase } from 'pg'
import type { Fields } from './form.ts'

/** The version that the SDK of the shop pins. */
export const apiVersion = '2026-10-28.endive'

/** What an event remembers of its cause, and where it is written. */
export type Cause = {
  /** The connection that holds the open transaction. */
  db: ClientBase
  request: { id: string | null; idempotency_key: string | null }
  /** Whether test controls may change how events are delivered. */
  controls: boolean
}

/** One authenticated call. */
export type Call = Cause & { fields: Fields; path: string; publishable: boolean }
