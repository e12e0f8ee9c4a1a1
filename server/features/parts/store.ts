import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { detailsOf, type EditableField, type Part } from '#contracts/parts.ts'
import type { Queryable } from '#server/database/client.ts'
import { parts, pictures } from '#server/database/schema/parts.ts'

/** The column of each field that admins write. */
export const detailColumns: Pick<typeof parts, EditableField> = detailsOf(parts)

const ownColumns = {
  _id: parts._id,
  ...detailColumns,
  availableQuantity: sql<number>`${parts.onHand} - ${parts.reserved}`,
}

const pictureWith = (facts: SQL) => sql<Part['picture']>`(
  select json_build_object('width', ${pictures.width}, 'height', ${pictures.height}${facts})
  from ${pictures} where ${pictures.url} = ${parts.image})`

/** For lists that the home page is made of: without the placeholders, which would be half of it. */
const listColumns = { ...ownColumns, picture: pictureWith(sql``) }

export const partColumns = {
  ...ownColumns,
  picture: pictureWith(sql`, 'placeholder', ${pictures.placeholder}`),
}

/** Every part on sale, in the owner's order. */
export function listParts(db: Queryable): Promise<Part[]> {
  return db
    .select(listColumns)
    .from(parts)
    .where(isNull(parts.deletedAt))
    .orderBy(asc(parts.position))
}

/**
 * The part to call the best seller: of the monitors on sale the one that sold most in 90 days, else of all parts, else the
 * first monitor, else the first part. Undefined in a shop without parts.
 */
export async function findBestSeller(db: Queryable): Promise<string | undefined> {
  const isMonitor = sql`lower(${parts.kind}) = 'monitor'`
  const [best] = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(isNull(parts.deletedAt))
    .orderBy(
      desc(sql`${isMonitor} and ${parts.sold90} > 0`),
      desc(parts.sold90),
      desc(isMonitor),
      asc(parts.position),
    )
    .limit(1)
  return best?._id
}

export async function findPart(db: Queryable, id: string): Promise<Part | undefined> {
  const [part] = await db
    .select(partColumns)
    .from(parts)
    .where(and(eq(parts._id, id), isNull(parts.deletedAt)))
  return part
}
