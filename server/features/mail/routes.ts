import { Hono } from 'hono'
import type { z } from 'zod'
import { type Acknowledged, ById } from '#contracts/api.ts'
import { type MailOutcome, type MailStatus, ResendRequest } from '#contracts/mail.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import type { MailDeps } from '#server/mail/send.ts'
import { readMailStatus } from './read-mail-status.ts'
import { dismissGivenUp, resendMail, sendTestMail } from './unsent-mail.ts'

type Deps = MailDeps & {
  sender: MailStatus['sender']
  ownerMail: string | null
  publicUrl: string
}

/** GET /mail lists unsent mails; admins resend, dismiss, or send a test mail. */
export function mailRoutes(deps: Deps) {
  return new Hono<Env>()
    .get('/mail', requireAdmin, async (c) =>
      c.json((await readMailStatus(deps)) satisfies MailStatus),
    )
    .post('/mail/test', requireAdmin, async (c) => {
      const isReal = deps.sender.type === 'smtp'
      return c.json((await sendTestMail(deps, c.var.caller, isReal)) satisfies MailOutcome)
    })
    .post(
      '/mail/:id/resend',
      requireAdmin,
      valid('param', ById),
      valid('json', ResendRequest),
      async (c) => {
        const { id } = c.req.valid('param')
        const outcome = await resendMail(deps, c.var.caller, id, c.req.valid('json'))
        return c.json(outcome satisfies MailOutcome)
      },
    )
    .post('/mail/:id/dismiss', requireAdmin, valid('param', ById), async (c) => {
      await dismissGivenUp(deps, c.var.caller, c.req.valid('param').id)
      return c.json({ acknowledged: true } satisfies z.infer<typeof Acknowledged>)
    })
}
