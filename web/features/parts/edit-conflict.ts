import type { PartFields } from './part-form-schema.ts'

/** What an edit may change. */
export const editedFields = [
  'name',
  'kind',
  'price',
  'description',
  'image',
  'minimumOrderQuantity',
] as const satisfies (keyof PartFields)[]
export type EditedField = (typeof editedFields)[number]

/** One field that somebody else changed. `mine` is what is typed here instead; null when their value is taken over. */
export type EditConflict = {
  name: EditedField
  before: string
  theirs: string
  mine: string | null
}

/** What somebody else changed since `before`, against what is typed here. */
export function editConflicts(
  before: PartFields,
  theirs: PartFields,
  typed: PartFields,
): EditConflict[] {
  return editedFields
    .filter((name) => before[name] !== theirs[name])
    .map((name) => {
      const isMine = typed[name] !== before[name] && typed[name] !== theirs[name]
      const mine = isMine ? typed[name] : null
      return { name, before: before[name], theirs: theirs[name], mine }
    })
}
