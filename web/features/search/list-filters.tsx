/**
 * The filters of a parts list. They are form controls, so they work without a script and no crawler
 * follows them.
 */
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { listLimits } from '#contracts/list-address.ts'
import { type Currency, currencies, money } from '#contracts/money.ts'
import type { Facet, PartList } from '#contracts/part-lists.ts'
import { useCurrency } from '#web/lib/use-money.ts'

/** The number of values that a filter shows before 'Show all'. */
const shownAtFirst = 8
/** A filter with at least this many values has a search field. */
const searchedFrom = 20

export type Chosen = {
  params: URLSearchParams
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void
}

const wordsOf = (type: Facet['type'], value: string) =>
  type === 'yes' ? (value === 'yes' ? 'Yes' : 'No') : value

type ChoiceProps = Chosen & {
  name: string
  value: string
  text: string
  count: number
  isFull?: boolean
  /** A hidden value stays in the form. */
  hidden?: boolean
}

function Choice({ name, value, text, count, isFull, hidden, params, onChange }: ChoiceProps) {
  const checked = params.has(name, value)
  return (
    <label className="choice" hidden={hidden} data-none={count === 0 ? '' : undefined}>
      <input
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        disabled={isFull && !checked}
        onChange={onChange}
      />
      <span>{text}</span>
      <span className="count">{count}</span>
    </label>
  )
}

/**
 * An input that the URL also sets: a change of the URL does not overwrite what the user is typing.
 */
function Bound({
  name,
  label,
  hint,
  params,
  onChange,
}: Chosen & { name: string; label: string; hint: number | null }) {
  const input = useRef<HTMLInputElement>(null)
  const value = params.get(name) ?? ''
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = value
  }, [value])
  return (
    <input
      ref={input}
      type="number"
      className="input bound"
      name={name}
      aria-label={label}
      placeholder={hint === null ? undefined : String(hint)}
      min={0}
      step="any"
      inputMode="decimal"
      defaultValue={value}
      onChange={onChange}
    />
  )
}

type RangeProps = Chosen & {
  name: string
  label: string
  unit: string
  from: number | null
  to: number | null
}

function Range({ name, label, unit, from, to, ...chosen }: RangeProps) {
  const currency = useCurrency()
  const of = unit ? `, ${unit}` : ''
  return (
    <fieldset className="facet">
      <legend>
        {label}{' '}
        {from !== null && (
          <span className="count">
            {name === priceKey
              ? `${money(from, currency)} to ${money(to ?? from, currency)}`
              : `${from} to ${to} ${unit}`}
          </span>
        )}
      </legend>
      <div className="range">
        <Bound name={`${name}-min`} label={`${label} from${of}`} hint={from} {...chosen} />
        <span aria-hidden="true">to</span>
        <Bound name={`${name}-max`} label={`${label} to${of}`} hint={to} {...chosen} />
        {unit && <span aria-hidden="true">{unit}</span>}
      </div>
    </fieldset>
  )
}

function Choices({ facet, ...chosen }: Chosen & { facet: Facet }) {
  const [typed, setTyped] = useState('')
  const { key, label, type, values } = facet
  const isFull =
    facet.values.filter(({ value }) => chosen.params.has(key, value)).length >= listLimits.values
  const lowered = typed.trim().toLowerCase()
  const choice = ({ value, count }: Facet['values'][number], place: number) => (
    <Choice
      key={value}
      name={key}
      value={value}
      text={wordsOf(type, value)}
      count={count}
      isFull={isFull}
      hidden={place >= shownAtFirst && !value.toLowerCase().includes(lowered)}
      {...chosen}
    />
  )
  const all = values.map(choice)
  const rest = values.slice(shownAtFirst)
  return (
    <fieldset className="facet">
      <legend>{label}</legend>
      <div className="choices">{all.slice(0, shownAtFirst)}</div>
      {rest.length > 0 && (
        <details open={rest.some(({ value }) => chosen.params.has(key, value)) || undefined}>
          <summary>Show all {values.length}</summary>
          {values.length >= searchedFrom && (
            <input
              type="search"
              className="input bound needs-script"
              aria-label={`Search in ${label}`}
              placeholder="Search"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
          <div className="choices">{all.slice(shownAtFirst)}</div>
        </details>
      )}
    </fieldset>
  )
}

export function FacetFilter({ facet, ...chosen }: Chosen & { facet: Facet }) {
  if (facet.type !== 'number') return <Choices facet={facet} {...chosen} />
  const { key, label, unit, from, to } = facet
  return <Range name={key} label={label} unit={unit} from={from} to={to} {...chosen} />
}

const priceKey = 'price'
/** Every list can be filtered by price, like by a facet. */
export const priceFacet = (currency: Currency) => ({
  ...{ key: priceKey, label: 'Price', type: 'number' as const },
  unit: currencies[currency].sign.trim(),
})

/** Formats a facet's number: '$49.90', '320 mm'. */
export const inUnit = (
  { key, unit }: Pick<Facet, 'key' | 'unit'>,
  number: string,
  currency: Currency,
): string => (key === priceKey ? money(Number(number), currency) : `${number} ${unit}`.trim())

/** The filters of every list. */
export function CommonFilters({ list, ...chosen }: Chosen & { list: PartList }) {
  const { from, to } = list.price
  const { key, label, unit } = priceFacet(useCurrency())
  return (
    <>
      <Range name={key} label={label} unit={unit} from={from} to={to} {...chosen} />
      <fieldset className="facet">
        <legend>Stock</legend>
        <Choice name="stock" value="in" text="In stock" count={list.inStock} {...chosen} />
      </fieldset>
      {list.fit && list.fit.with.length > 0 && (
        <fieldset className="facet">
          <legend>Your build</legend>
          <Choice
            name="only"
            value="fits"
            text="Only what fits"
            count={list.fit.count}
            {...chosen}
          />
        </fieldset>
      )}
    </>
  )
}

/** Each active value with the URL without it. */
export function chipsOf(params: URLSearchParams, facets: Facet[], currency: Currency) {
  const without = (name: string, value: string) => {
    const next = new URLSearchParams(params)
    next.delete(name, value)
    next.delete('after')
    return next
  }
  const chips = [...facets, priceFacet(currency)].flatMap(({ key, label, type, unit }) => {
    const names = type === 'number' ? [`${key}-min`, `${key}-max`] : [key]
    return names.flatMap((name, end) =>
      params.getAll(name).map((value) => {
        const words =
          type === 'number'
            ? `${end === 0 ? 'from' : 'to'} ${inUnit({ key, unit }, value, currency)}`
            : wordsOf(type, value)
        return { text: `${label}: ${words}`, next: without(name, value) }
      }),
    )
  })
  if (params.get('stock')) chips.push({ text: 'In stock', next: without('stock', 'in') })
  if (params.get('only')) chips.push({ text: 'Only what fits', next: without('only', 'fits') })
  return chips
}
