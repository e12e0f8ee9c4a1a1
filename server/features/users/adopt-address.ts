import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#server/database/client.ts'
import { queueMail } from '#server/database/mail-queue.ts'
import { verification } from '#server/database/schema/identity.ts'
import { users } from '#server/database/schema/users.ts'
import { mailTemplate } from '#server/mail/template.ts'

type Proved = { issuer: string; subject: string /** lower-case */; email: string }

/**
 * The address of this identity is proved, if the shop knows the identity at all. When it is another than before, the
 * user goes by it from now on; the database gives it to their orders and reviews, which belong to the user and not to
 * the address. The old address is told, keys that were mailed there open nothing any more, and access tokens that say
 * it are renewed.
 * @param help where to go on if it was somebody else
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
