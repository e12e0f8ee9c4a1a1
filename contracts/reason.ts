import { z } from 'zod'
import { messages } from './messages.ts'

/** Why an admin did something that the audit log explains: hiding a review, blocking an account. */
export const Reason = z.object({
  reason: z
    .string(messages.reasonRequired)
    .trim()
    .min(1, messages.reasonRequired)
    .max(200, messages.reasonTooLong),
})
export type Reason = z.infer<typeof Reason>
