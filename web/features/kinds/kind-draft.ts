/** The draft of a kind as form values, and the request made from it. */
import { KindEdit, type KindField, type KindPage, keyFor } from '#contracts/kind-edits.ts'
import { splitValues, valueSeparator } from '#contracts/kinds.ts'

/** A value of a select field. `was` is its saved name, null for a new value. */
export type DraftValue = { id: string; was: string | null; value: string; also: string }

export type DraftField = Omit<
  KindField,
  'key' | 'min' | 'max' | 'options' | 'values' | 'better' | 'isBuiltin'
> & {
  id: string
  /** The saved field; null for a new field. */
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
let idCount = 0
/** Unlike the ids of another visit, whose draft may be restored. */
const newId = () => {
  idCount += 1
  return `new-${began}-${idCount}`
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
  fitField: null,
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
      also: also.join(valueSeparator),
    })),
  }
}

export const kindDraftOf = ({
  version,
  name,
  otherNames,
  drawing,
  fields,
}: KindPage): KindDraft => ({
  version,
  name,
  otherNames: otherNames.join(valueSeparator),
  drawing,
  fields: fields.map(draftField),
})

const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

/** The values to send: values with the same name are merged. */
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

/**
 * The input that shows a problem of a value. It is found by the value's id, because two values with
 * the same name are sent as one.
 */
const placeOf = (path: PropertyKey[], { fields }: KindDraft): string => {
  const [list, at, part, place] = path
  const field = list === 'fields' ? fields[Number(at)] : undefined
  if (!field || at === undefined) return String(list)
  if (part !== 'options' || place === undefined) return `${field.id}.${String(part)}`
  const sentValue = sentOptions(field.options)[Number(place)]?.value
  const value = field.options.find((each) => each.value.trim() === sentValue)
  return `${field.id}.${value?.id}`
}

/** The request, or the problems by input: `name`, `socket.label`, `socket.AM5`. */
export function readDraft(draft: KindDraft) {
  const parsed = KindEdit.safeParse({
    ...draft,
    otherNames: splitValues(draft.otherNames),
    fields: draft.fields.map(sentField),
  })
  if (parsed.success) return { edit: parsed.data, problems: {} }
  return { problems: problemsIn(parsed.error.issues, draft) }
}

type Issue = { path: PropertyKey[]; message: string }

/** The first problem of each input. */
function problemsIn(issues: Issue[], draft: KindDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { path, message } of issues) problems[placeOf(path, draft)] ??= message
  return problems
}

/** The server's field errors, by input. */
export const refusedIn = (fields: Record<string, string> = {}, draft: KindDraft) =>
  problemsIn(
    Object.entries(fields).map(([path, message]) => ({ path: path.split('.'), message })),
    draft,
  )

/** The list with one item moved up or down by one. */
export function moved<T>(list: T[], from: number, by: -1 | 1): T[] {
  const to = from + by
  const [one, other] = [list[from], list[to]]
  if (one === undefined || other === undefined) return list
  return list.with(from, other).with(to, one)
}
