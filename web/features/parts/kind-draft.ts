/** A kind as its owner types it, and what of it is sent. */
import { KindEdit, type KindField, type KindPage, keyFor } from '#contracts/kind-edits.ts'
import { between, splitValues } from '#contracts/kinds.ts'

/** A value of a choice; `was` is what it is called in the shop, null for a new one. */
export type DraftValue = { id: string; was: string | null; value: string; also: string }

export type DraftField = Omit<
  KindField,
  'key' | 'min' | 'max' | 'options' | 'values' | 'better' | 'isBuiltin'
> & {
  id: string
  /** What the shop has of it; null for a new field. */
  stored: KindField | null
  min: string
  max: string
  options: DraftValue[]
  better: 'more' | 'less' | ''
}

export type KindDraft = {
  version: number
  name: string
  otherNames: string
  drawing: string
  fields: DraftField[]
}

const began = Date.now()
let made = 0
/** Not those of another visit, whose draft may be brought back. */
const newId = () => {
  made += 1
  return `new-${began}-${made}`
}

export const newValue = (value: string): DraftValue => ({ id: newId(), was: null, value, also: '' })

export const newField = (): DraftField => ({
  id: newId(),
  stored: null,
  label: '',
  type: 'one',
  unit: '',
  min: '0',
  max: '1000000',
  options: [],
  isOpen: false,
  isFacet: true,
  isSearched: true,
  isCard: false,
  promoted: false,
  better: '',
  group: '',
  stated: 0,
})

const draftField = (stored: KindField): DraftField => {
  const { key, values: _, isBuiltin: __, ...field } = stored
  return {
    ...field,
    id: key,
    stored,
    min: String(stored.min),
    max: String(stored.max),
    better: stored.better ?? '',
    options: stored.options.map(({ value, also }) => ({
      id: value,
      was: value,
      value,
      also: also.join(between),
    })),
  }
}

export const draftOf = ({ version, name, otherNames, drawing, fields }: KindPage): KindDraft => ({
  version,
  name,
  otherNames: otherNames.join(between),
  drawing,
  fields: fields.map(draftField),
})

const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** The values that are sent: two of one name become one. */
const sentOptions = (values: DraftValue[]) =>
  [...Map.groupBy(values, ({ value }) => value.trim())].map(([value, same]) => ({
    value,
    also: [...new Set(same.flatMap(({ also }) => splitValues(also)))],
    was: same.flatMap(({ was }) => (was === null || was === value ? [] : [was])),
  }))

const sentField = ({ id: _, stored, options, stated: __, ...field }: DraftField) => {
  const isChoice = field.type === 'one' || field.type === 'many'
  const isNumber = field.type === 'number'
  const unit = isNumber ? field.unit : ''
  return {
    ...field,
    key: stored?.key ?? keyFor(field.label, unit),
    unit,
    min: isNumber ? numberIn(field.min) : 0,
    max: isNumber ? numberIn(field.max) : 1_000_000,
    options: isChoice ? sentOptions(options) : [],
    isOpen: isChoice && field.isOpen,
    promoted: field.isFacet && field.promoted,
    better: isNumber ? field.better || null : null,
  }
}

/** Where a problem of a value is shown: by the value's id, because two of one name are sent as one. */
const placeOf = (path: PropertyKey[], { fields }: KindDraft): string => {
  const [list, at, part, place] = path
  const field = list === 'fields' ? fields[Number(at)] : undefined
  if (!field || at === undefined) return String(list)
  if (part !== 'options' || place === undefined) return `${field.id}.${String(part)}`
  const sent = sentOptions(field.options)[Number(place)]?.value
  const value = field.options.find((each) => each.value.trim() === sent)
  return `${field.id}.${value?.id}`
}

/** What is sent, or what is wrong by the place where it is typed: `name`, `socket.label`, `socket.AM5`. */
export function readDraft(draft: KindDraft) {
  const asked = KindEdit.safeParse({
    ...draft,
    otherNames: splitValues(draft.otherNames),
    fields: draft.fields.map(sentField),
  })
  if (asked.success) return { edit: asked.data, problems: {} }
  return { problems: problemsIn(asked.error.issues, draft) }
}

type Issue = { path: PropertyKey[]; message: string }

/** The first problem of each place. */
function problemsIn(issues: Issue[], draft: KindDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { path, message } of issues) problems[placeOf(path, draft)] ??= message
  return problems
}

/** What the shop refused, by the place where it is typed. */
export const refusedIn = (fields: Record<string, string> = {}, draft: KindDraft) =>
  problemsIn(
    Object.entries(fields).map(([path, message]) => ({ path: path.split('.'), message })),
    draft,
  )

/** The list with one of its members a place further up or down. */
export function moved<T>(list: T[], from: number, by: -1 | 1): T[] {
  const to = from + by
  const [one, other] = [list[from], list[to]]
  if (one === undefined || other === undefined) return list
  return list.with(from, other).with(to, one)
}
