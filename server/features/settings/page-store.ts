import { and, asc, eq, sql } from 'drizzle-orm'
import {
  type OwnPage,
  ownPagesLimit,
  type PageEdit,
  type PageLink,
  type StoredPage,
} from '#contracts/texts.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { ownPages } from '#server/database/schema/texts.ts'
import { AppError } from '#server/errors.ts'
import { checkMarkdown, parseMarkdown } from './parse-markdown.ts'
import { savedMeanwhile } from './saved-meanwhile.ts'

const link = { address: ownPages.address, title: ownPages.title, group: ownPages.group }
const columns = { ...link, version: ownPages.version, lead: ownPages.lead, text: ownPages.text }

/** Lists the owner's own pages for the footer, by title. */
export const listPageLinks = (db: Queryable): Promise<PageLink[]> =>
  db.select(link).from(ownPages).orderBy(asc(ownPages.title))

/** Lists the owner's own pages as they are stored, by title. */
export const listPages = (db: Queryable): Promise<StoredPage[]> =>
  db.select(columns).from(ownPages).orderBy(asc(ownPages.title))

/** Reads a page of the owner's own; null when there is none. */
export async function readPage(db: Queryable, address: string): Promise<OwnPage | null> {
  const [row] = await db.select(columns).from(ownPages).where(eq(ownPages.address, address))
  if (!row) return null
  const { version: _, text, ...page } = row
  return { ...page, sections: parseMarkdown(text) }
}

const isAsRead = (address: string, version: number) =>
  and(eq(ownPages.address, address), eq(ownPages.version, version))

function logged(caller: Caller, address: string, title: string, length: number) {
  const detail = { page: `pages/${address}`, title, length }
  return { actor: caller, userId: caller._id, action: 'text changed', detail } as const
}

/**
 * Saves a page of the owner's own; `version` 0 makes it. Logs the change.
 * @returns how many pages have changed: one
 * @throws AppError OUTDATED when another admin saved since `version` was read; NAME_TAKEN; TOO_MANY;
 *   INVALID for a text of too many blocks
 */
export async function savePage(
  db: Database,
  caller: Caller,
  address: string,
  { version, ...page }: PageEdit,
): Promise<number> {
  checkMarkdown(page.text)
  return db.transaction(async (tx) => {
    if (version === 0) {
      // two admins who add the last one wait for each other
      await tx.execute(sql`lock table ${ownPages} in share row exclusive mode`)
      if (await tx.$count(ownPages, eq(ownPages.address, address))) {
        const why = 'There is a page at this address'
        throw new AppError('NAME_TAKEN', why, { address: why })
      }
      if ((await tx.$count(ownPages)) >= ownPagesLimit)
        throw new AppError('TOO_MANY', `You can have up to ${ownPagesLimit} pages of your own.`)
      await tx.insert(ownPages).values({ address, ...page })
    } else {
      const { rowCount } = await tx
        .update(ownPages)
        .set({ ...page, version: version + 1, savedAt: sql`now()` })
        .where(isAsRead(address, version))
      if (rowCount === 0)
        throw savedMeanwhile('Another admin saved or removed this page in the meantime')
    }
    await logActions(tx, [logged(caller, address, page.title, page.text.length)])
    return 1
  })
}

/**
 * Removes a page of the owner's own.
 * @throws AppError OUTDATED when another admin saved or removed it since `version` was read
 */
export function removePage(
  db: Database,
  caller: Caller,
  address: string,
  version: number,
): Promise<number> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(ownPages).where(isAsRead(address, version)).returning(link)
    if (!gone) throw savedMeanwhile('Another admin saved or removed this page in the meantime')
    await logActions(tx, [logged(caller, address, gone.title, 0)])
    return 1
  })
}
