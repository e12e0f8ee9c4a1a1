import { createHash } from 'node:crypto'
import type { Issue } from '#contracts/reconciliation.ts'
import type { Database } from '#server/database/client.ts'
import { queueOwnerMail } from '#server/database/mail-queue.ts'
import { mailTemplate } from '#server/mail/template.ts'

/** The mail lists so many; the page has all. */
const shown = 20

/** A name that is the same for the same issues in any order. */
function nameOf(found: Issue[]): string {
  const all = found.map(({ about, words }) => `${about} ${words}`).toSorted()
  return createHash('sha256').update(all.join('\n')).digest('hex').slice(0, 32)
}

/**
 * Mails the owner the issues that a reconciliation left: one mail for all, and no further one until the issues change.
 */
export async function mailIssues(
  { db, ownerMail, publicUrl }: { db: Database; ownerMail: string | null; publicUrl: string },
  found: Issue[],
): Promise<void> {
  if (found.length === 0) return
  const left = found.length - shown
  const count = found.length === 1 ? '1 payment' : `${found.length} payments`
  const mail = mailTemplate({
    subject: `${count}: the card provider has another record`,
    lines: [
      'The daily comparison found what the shop can not settle by itself. Nothing was changed.',
      'Money in the dashboard shows both records and says what to do.',
    ],
    facts: [
      ...found.slice(0, shown).map(({ name, words }): [string, string] => [name, words]),
      ...(left > 0 ? ([['and', `${left} more`]] satisfies [string, string][]) : []),
    ],
    action: { label: 'Compare them', url: `${publicUrl}/dashboard/money` },
  })
  const dedupe = `owner disagreement ${nameOf(found)}`
  await queueOwnerMail(db, ownerMail, { template: 'owner-disagreement', dedupe, ...mail })
}
