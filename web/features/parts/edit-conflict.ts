import { type EditableField, editableFields } from '#contracts/parts.ts'
import type { PartForm } from './part-form-schema.ts'

/** One field that somebody else changed. `mine` is what is typed here instead; null when their value is taken over. */
export type EditConflict = {
  name: EditableField
  before: string
  theirs: string
  mine: string | null
}

/** What somebody else changed since `before`, against what is typed here. */
export function editConflicts(before: PartForm, theirs: PartForm, typed: PartForm): EditConflict[] {
  return editableFields
    .filter((name) => before[name] !== theirs[name])
    .map((name) => {
      const isMine = typed[name] !== before[name] && typed[name] !== theirs[name]
      const mine = isMine ? typed[name] : null
      return { name, before: before[name], theirs: theirs[name], mine }
    })
}
