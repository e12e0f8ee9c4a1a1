import { eq, sql } from 'drizzle-orm'
import { counted } from '#contracts/counted.ts'
import type { NewKind } from '#contracts/kind-edits.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { inBulk } from '#server/database/bulk-changes.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { parts } from '#server/database/schema/parts.ts'
import { AppError, found } from '#server/errors.ts'

/**
 * Checks that no other kind has one of these names. Files, forms and addresses find a kind by any
 * of its names.
 * @param slug the slug of the kind that gets the names; '' for a new kind
 * @throws AppError NAME_TAKEN
 */
export async function assertNamesFree(
  tx: Transaction,
  { name, otherNames }: Pick<NewKind, 'name' | 'otherNames'>,
  slug = '',
): Promise<void> {
  const { rows } = await tx.execute<{ typed: string; kind: string }>(sql`
    select typed, k.name as kind from unnest(${sql.param([name, ...otherNames])}::text[]) typed
    join ${kinds} k on k.slug <> ${slug} and (slug_of(typed) in (k.slug, slug_of(k.name))
      or slug_of(typed) in (select slug_of(other) from unnest(k.other_names) other)) limit 1`)
  const [conflict] = rows
  if (!conflict) return
  const why = `“${conflict.typed}” already means the category “${conflict.kind}”`
  throw new AppError('NAME_TAKEN', why, { [conflict.typed === name ? 'name' : 'otherNames']: why })
}

/** Adds a kind, without fields. @returns its slug @throws AppError NAME_TAKEN */
export function addKind(db: Database, caller: Caller, kind: NewKind): Promise<string> {
  return inBulk(db, async (tx) => {
    await assertNamesFree(tx, kind)
    const [row] = await tx
      .insert(kinds)
      .values({ ...kind, slug: sql`slug_of(${kind.name})` })
      .returning({ slug: kinds.slug })
    const detail = { kind: kind.name }
    await logActions(tx, [{ actor: caller, userId: caller._id, action: 'kind added', detail }])
    return found(row, 'kind').slug
  })
}

/** Deletes a kind without parts. @throws AppError NOT_FOUND, INVALID for a built-in kind, IN_USE */
export function removeKind(db: Database, caller: Caller, slug: string): Promise<void> {
  return inBulk(db, async (tx) => {
    const [row] = await tx.select().from(kinds).where(eq(kinds.slug, slug)).for('update')
    const kind = found(row, 'kind')
    if ((await tx.$count(specFields, sql`kind = ${slug} and is_builtin`)) > 0)
      throw new AppError(
        'INVALID',
        'You can’t remove built-in categories. Customers only see categories with products.',
      )
    const used = await tx.$count(parts, eq(parts.kind, kind.name))
    if (used > 0) {
      const why = `${counted(used, 'product is', 'products are')} in this category, counting deleted ones. Move them to another category first.`
      throw new AppError('IN_USE', why)
    }
    await tx.delete(kinds).where(eq(kinds.slug, slug))
    const detail = { kind: kind.name }
    await logActions(tx, [{ actor: caller, userId: caller._id, action: 'kind removed', detail }])
  })
}
