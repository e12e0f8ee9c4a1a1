import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#server/database/client.ts'
import { queueMail } from '#server/database/mail-queue.ts'
import { verification } from '#server/database/schema/identity.ts'
import { users } from '#server/database/schema/users.ts'
import { mailTemplate } from '#server/mail/template.ts'

type Proved = { issuer: string; subject: string /** lower-case */; email: string }

/**
 * Stores that an identity's address is verified, if the shop knows the identity. A new address becomes the user's; a trigger
 * copies it to their orders and reviews. The old address gets a mail, links mailed there stop working, and access tokens
 * with the old address are renewed.
 * @param help URL for a reader who did not do this
 */
export async function adoptAddress(db: Database, proved: Proved, help: string): Promise<void> {
  const { issuer, subject, email } = proved
  await db.transaction(async (tx) => {
    const isMeant = and(eq(users.issuer, issuer), eq(users.subject, subject))
    const [user] = await tx
      .select({ email: users.email, emailVerified: users.emailVerified })
      .from(users)
      .where(isMeant)
      .for('no key update')
    if (!user || (user.email === email && user.emailVerified)) return
    const isChanged = user.email !== email
    await tx
      .update(users)
      .set({
        email,
        emailVerified: true,
        ...(isChanged && { tokenVersion: sql`${users.tokenVersion} + 1` }),
      })
      .where(isMeant)
    if (!isChanged) return
    await tx.delete(verification).where(eq(verification.value, subject))
    await queueMail(tx, {
      template: 'address-changed',
      recipient: user.email,
      ...mailTemplate({
        subject: 'Your account goes by another address',
        lines: [
          'Your account at Ferrite goes by another e-mail address now, as was asked for with its password. Mails about your orders go there.',
          'If that was not you, write to us at once.',
        ],
        action: { label: 'How to reach us', url: help },
      }),
    })
  })
}
