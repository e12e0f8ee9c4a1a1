/** Sessions of those who run the shop. */
import { z } from 'zod'
import { SessionInfo } from './account.ts'
import { Id } from './api.ts'
import { roles } from './users.ts'

/** DELETE /sessions/:id and /staff-sessions/:id. */
export const BySession = z.object({ id: z.string().min(1).max(160) })

export const StaffSession = SessionInfo.extend({
  userId: Id,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  network: z.string().nullable().describe('The address that it was begun from.'),
}).describe('A session of an admin or a packer.')
export type StaffSession = z.infer<typeof StaffSession>
