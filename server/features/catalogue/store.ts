import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import {
  detailsOf,
  type EditableField,
  editableFields,
  forEachField,
  type ListedField,
  listedFields,
  type Part,
} from '#contracts/parts.ts'
import type { Queryable } from '#server/database/client.ts'
import { isOnSale, parts, pictures } from '#server/database/schema/parts.ts'

/** The columns of the fields that admins edit. */
export const detailColumns: Pick<typeof parts, EditableField> = detailsOf(parts)

const listed = editableFields.filter((name) => (listedFields as string[]).includes(name))

const ownColumns = {
  _id: parts._id,
  ...(forEachField(listed, (name) => detailColumns[name]) as Pick<
    typeof detailColumns,
    Extract<EditableField, ListedField>
  >),
  availableQuantity: sql<number>`${parts.onHand} - ${parts.reserved}`,
}

const pictureWith = (facts: SQL) => sql<Part['picture']>`(
  select json_build_object('width', ${pictures.width}, 'height', ${pictures.height}${facts})
  from ${pictures} where ${pictures.url} = ${parts.image})`

/**
 * The columns for rendered pages. They have no placeholders, which would double the size of a list
 * and which the content security policy forbids in HTML.
 */
export const listColumns = { ...ownColumns, picture: pictureWith(sql``) }

export const partColumns = {
  ...ownColumns,
  picture: pictureWith(sql`, 'placeholder', ${pictures.placeholder}`),
}

/** Characters of a description on a card: more than fit in its three lines. */
const excerpt = 200

/** The columns of a card, with long descriptions cut to what it shows. */
export const cardColumns = {
  ...listColumns,
  description: sql<string>`case when length(${parts.description}) > ${excerpt}
    then left(${parts.description}, ${excerpt - 1}) || '…' else ${parts.description} end`,
  number: parts.number,
  imageAlt: parts.imageAlt,
}

/** Lists all parts on sale, in the owner's order. */
export function listParts(db: Queryable): Promise<Part[]> {
  return db.select(listColumns).from(parts).where(isOnSale).orderBy(asc(parts.position))
}

export async function findPart(db: Queryable, id: string): Promise<Part | undefined> {
  const [part] = await db
    .select(partColumns)
    .from(parts)
    .where(and(eq(parts._id, id), isOnSale))
  return part
}
