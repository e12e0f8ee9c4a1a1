import { z } from 'zod'
import { messages } from './messages.ts'

/** An admin's reason for hiding a review or blocking an account; the audit log keeps it. */
export const Reason = z.object({
  reason: z
    .string(messages.reasonRequired)
    .trim()
    .min(1, messages.reasonRequired)
    .max(200, messages.reasonTooLong),
})
export type Reason = z.infer<typeof Reason>
