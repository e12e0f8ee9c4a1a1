import { and, eq, ne, sql } from 'drizzle-orm'
import {
  type OwnText,
  type StoredText,
  type TextEdit,
  type TextPageName,
  textPages,
} from '#contracts/texts.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { shopTexts } from '#server/database/schema/texts.ts'
import { checkMarkdown, parseMarkdown } from './parse-markdown.ts'
import { savedMeanwhile } from './saved-meanwhile.ts'

const columns = {
  page: shopTexts.page,
  version: shopTexts.version,
  lead: shopTexts.lead,
  text: shopTexts.text,
}

/** Lists the pages of text, each with the owner's own text; empty texts are the shop's. */
export async function listTexts(db: Queryable): Promise<StoredText[]> {
  const rows = await db.select(columns).from(shopTexts)
  return textPages.map(
    (page) => rows.find((row) => row.page === page) ?? { page, version: 0, lead: '', text: '' },
  )
}

/** Reads the owner's own text of a page; null while it has the shop's. */
export async function readOwnText(db: Queryable, page: TextPageName): Promise<OwnText> {
  const isOwn = and(eq(shopTexts.page, page), ne(shopTexts.text, ''))
  const [row] = await db.select(columns).from(shopTexts).where(isOwn)
  return row ? { lead: row.lead, sections: parseMarkdown(row.text) } : null
}

/**
 * Saves the owner's text of a page, and logs that it changed.
 * @returns how many texts have changed: one
 * @throws AppError OUTDATED when another admin saved since `version` was read, INVALID for a text
 *   of too many blocks
 */
export async function saveText(
  db: Database,
  caller: Caller,
  page: TextPageName,
  { version, lead, text }: TextEdit,
): Promise<number> {
  checkMarkdown(text)
  return db.transaction(async (tx) => {
    const { rowCount } =
      version === 0
        ? await tx.insert(shopTexts).values({ page, lead, text }).onConflictDoNothing()
        : await tx
            .update(shopTexts)
            .set({ lead, text, version: version + 1, savedAt: sql`now()` })
            .where(and(eq(shopTexts.page, page), eq(shopTexts.version, version)))
    if (rowCount === 0) throw savedMeanwhile('Another admin saved this text in the meantime')
    const detail = { page, length: text.length }
    const action = { actor: caller, userId: caller._id, action: 'text changed', detail } as const
    await logActions(tx, [action])
    return 1
  })
}
