import { identityCode } from './messages.ts'
import type { IdentityCode } from './port.ts'

/** How a sign-in ended, as the popup's last page tells it; `error` is null when it went well. */
export type PopupEvent = { eventId: string; error: IdentityCode | null }

/**
 * Reads a message of the popup's last page.
 * @returns null for messages that are not about signing in, `unusable` for those that are but say nothing
 */
export function readPopupEvent(data: unknown): PopupEvent | 'unusable' | null {
  const message = data as { type?: unknown; eventId?: unknown; error?: unknown } | null
  if (typeof message !== 'object' || message?.type !== 'ferrite:identity') return null
  const { eventId, error } = message
  if (typeof eventId !== 'string' || eventId === '') return 'unusable'
  if (error === null) return { eventId, error }
  return typeof error === 'string' ? { eventId, error: identityCode(error) } : 'unusable'
}
