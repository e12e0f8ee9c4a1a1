import '#web/styles/shipping.css'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { addressWords, inOneLine, needsRegion } from '#contracts/address-lines.ts'
import { Address, emptyAddress, type KeptAddress } from '#contracts/addresses.ts'
import type { Checkout } from '#contracts/checkouts.ts'
import { countryCodes } from '#contracts/countries.ts'
import { dayText } from '#contracts/dispatch.ts'
import { countriesOf, daysText, deliversTo, tellsRegions } from '#contracts/shipping-rules.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { AddressFields } from './address-fields.tsx'
import { addressesQuery, useChooseShipping } from './queries.ts'

export type Method = Checkout['methods'][number]

/** The fields of a refusal that begin with a prefix, without it. */
const fieldsOf = (error: Error | null, prefix: string): Record<string, string> | undefined => {
  if (!(error instanceof ApiError) || !error.fields) return undefined
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([name, why]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), why]] : [],
    ),
  )
}

const useAddressForm = (start: Address) =>
  useForm({ resolver: zodResolver(Address), mode: 'onTouched', defaultValues: start })

/** The price of a method, and how long it takes. */
function MethodText({ method }: { method: Method }) {
  const money = useMoney()
  return (
    <span className="flex flex-wrap justify-between gap-x-4">
      <span>
        {method.name}
        <span className="block text-dim text-sm">
          {method.by ? `By ${dayText(method.by)}, ${daysText(method)}` : 'You pick it up'}
        </span>
      </span>
      <span className="font-mono tabular-nums">
        {method.cost === 0 ? 'free' : money(method.cost)}
      </span>
    </span>
  )
}

type ChoicesProps = {
  legend: string
  /** Value → what is shown of it. */
  choices: [value: string, shown: ReactNode][]
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** Shown when there is nothing to choose. */
  none?: string
}

/** A list of which one is chosen. */
function Choices({ legend, choices, value, onChange, error, none }: ChoicesProps) {
  const name = useId()
  return (
    <fieldset className="mb-5 grid gap-2" aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="field-label mb-1.5">{legend}</legend>
      {choices.map(([each, shown]) => (
        <label key={each} className="option-card">
          <input
            type="radio"
            name={name}
            value={each}
            checked={each === value}
            onChange={() => onChange(each)}
          />
          {shown}
        </label>
      ))}
      {choices.length === 0 && <p className="text-pretty text-dim text-sm">{none}</p>}
      <p id={`${name}-error`} role="alert" className="text-danger text-sm empty:hidden">
        {error}
      </p>
    </fieldset>
  )
}

type WhereProps = {
  kept: KeptAddress[]
  form: UseFormReturn<Address>
  countries: string[]
  refused: Record<string, string> | undefined
}

/** The address of the parcel: one that the customer keeps, or a new one. */
function Where({ kept, form, countries, refused }: WhereProps) {
  const usable = kept.filter(({ address }) => countries.includes(address.country))
  const current = usable.find(({ address }) => inOneLine(address) === inOneLine(form.watch()))
  return (
    <>
      {usable.length > 0 && (
        <div className="field pb-5">
          <Select
            label="Your addresses"
            value={current?._id ?? ''}
            choices={{
              ...Object.fromEntries(usable.map(({ _id, address }) => [_id, inOneLine(address)])),
              '': 'Another address',
            }}
            onChange={(id) =>
              form.reset(usable.find(({ _id }) => _id === id)?.address ?? emptyAddress)
            }
          />
        </div>
      )}
      {!(current && !refused) && (
        <AddressFields form={form} countries={countries} section="shipping" refused={refused} />
      )}
    </>
  )
}

type Props = {
  checkout: Checkout
  /** The user's name, for a first address. */
  name: string
  kept: KeptAddress[]
  /** Called when the choice is saved and the sums of the checkout are read again. */
  onChosen: () => void
  /** Leaves the choice as it is; undefined before the first one. */
  onCancel: (() => void) | undefined
  /** What the checkout costs with this method. */
  sums: (method: Method) => ReactNode
}

/** The address that the form begins with: the chosen one, else the default one. */
function startOf({ shipping, methods }: Checkout, kept: KeptAddress[], name: string): Address {
  const countries = countriesOf(methods)
  const [usual] = kept.filter(({ address }) => countries.includes(address.country))
  const country = countries.length === 1 ? (countries[0] ?? '') : ''
  return shipping.shipTo ?? usual?.address ?? { ...emptyAddress, name, country }
}

function useShipping({ checkout, kept, name, onChosen }: Props) {
  const { shipping, methods } = checkout
  const where = useAddressForm(startOf(checkout, kept, name))
  const bill = useAddressForm(shipping.billTo ?? { ...emptyAddress, name })
  const [isPickUp, setPickUp] = useState(
    shipping.type === 'pick up' || countriesOf(methods).length === 0,
  )
  const [methodId, setMethodId] = useState(shipping.methodId ?? '')
  const [hasOwnBill, setOwnBill] = useState(shipping.billTo !== null)
  const [hasTaxNumber, setHasTaxNumber] = useState(shipping.taxNumber !== '')
  const [taxNumber, setTaxNumber] = useState(shipping.taxNumber)
  const [tries, setTries] = useState(0)
  const [isKept, setKept] = useState(true)
  const choose = useChooseShipping(checkout._id)
  const [country, region] = where.watch(['country', 'region'])
  const fitting = methods.filter(({ type, ...rest }) =>
    isPickUp
      ? type === 'pick up'
      : type === 'ship' && deliversTo({ type, ...rest }, { country, region }),
  )
  const chosen = fitting.find(({ _id }) => _id === methodId) ?? fitting[0]

  async function submit(event: FormEvent) {
    event.preventDefault()
    // both, so that every field says what is wrong
    const areValid = await Promise.all([isPickUp || where.trigger(), !hasOwnBill || bill.trigger()])
    setTries(tries + 1)
    if (!chosen || areValid.includes(false)) return
    const choice = {
      methodId: chosen._id,
      ...(!isPickUp && { address: where.getValues() }),
      billing: hasOwnBill ? bill.getValues() : null,
      taxNumber: hasTaxNumber ? taxNumber : '',
    }
    try {
      await choose.mutateAsync({ choice, isKept })
    } catch {
      setTries(tries + 2)
      return
    }
    onChosen()
  }
  return {
    ...{ where, bill, isPickUp, setPickUp, fitting, chosen, setMethodId, choose, submit, tries },
    ...{ hasOwnBill, setOwnBill, hasTaxNumber, setHasTaxNumber, taxNumber, setTaxNumber },
    ...{ isKept, setKept },
  }
}

/** Moves the focus to the first field that is wrong after each try to submit. */
function useFocusOfTheWrong(tries: number) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tries > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  return fields
}

/** Why no method can be chosen. */
const whyNone = ({ country, region }: Address, methods: Method[]) =>
  !region &&
  (needsRegion(country) ||
    tellsRegions(
      methods.flatMap(({ regions }) => regions),
      country,
    ))
    ? `${addressWords(country).region}: choose it to see how we can send it.`
    : 'We do not deliver to this address. Choose another one, or write to us.'

type CheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}

function ShippingFields(props: Props) {
  const { checkout, kept, onCancel, sums } = props
  const form = useShipping(props)
  const { where, bill, isPickUp, choose, hasOwnBill } = form
  const fields = useFocusOfTheWrong(form.tries)
  const countries = countriesOf(checkout.methods)
  const offersBoth = countries.length > 0 && checkout.methods.some(({ type }) => type === 'pick up')
  const { error } = choose
  const isNamed = error instanceof ApiError && error.fields !== undefined
  const isComplete = isPickUp || where.watch('country') !== ''
  return (
    <Form aria-label="Delivery" onSubmit={form.submit}>
      <div ref={fields}>
        {offersBoth && (
          <Choices
            legend="How do you want to get it?"
            choices={[
              ['ship', 'Have it delivered'],
              ['pick up', 'Pick it up'],
            ]}
            value={isPickUp ? 'pick up' : 'ship'}
            onChange={(value) => form.setPickUp(value === 'pick up')}
          />
        )}
        {!isPickUp && (
          <Where
            kept={kept}
            form={where}
            countries={countries}
            refused={fieldsOf(error, 'address.')}
          />
        )}
        {isComplete && (
          <Choices
            legend={isPickUp ? 'Where do you pick it up?' : 'How shall we send it?'}
            choices={form.fitting.map((method) => [
              method._id,
              <MethodText key={method._id} method={method} />,
            ])}
            value={form.chosen?._id ?? ''}
            onChange={form.setMethodId}
            error={fieldsOf(error, 'methodId')?.['']}
            none={whyNone(where.watch(), checkout.methods)}
          />
        )}
        {!isPickUp && (
          <Check
            label="Keep this address for the next order"
            checked={form.isKept}
            onChange={form.setKept}
          />
        )}
        <Check
          label="The invoice has another address"
          checked={hasOwnBill}
          onChange={form.setOwnBill}
        />
        {hasOwnBill && (
          <div className="mt-3">
            <AddressFields
              form={bill}
              countries={countryCodes}
              section="billing"
              refused={fieldsOf(error, 'billing.')}
            />
          </div>
        )}
        <Check
          label="The invoice has my tax number"
          checked={form.hasTaxNumber}
          onChange={form.setHasTaxNumber}
        />
        {form.hasTaxNumber && (
          <Field
            label="Your tax number"
            autoComplete="off"
            value={form.taxNumber}
            error={fieldsOf(error, 'taxNumber')?.[''] ?? ''}
            onChange={(event) => form.setTaxNumber(event.target.value)}
          />
        )}
      </div>
      {form.chosen && <div className="mt-4">{sums(form.chosen)}</div>}
      <p role="alert" className="pt-2 text-danger empty:pt-0">
        {!isNamed && error?.message}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button type="submit" loading={choose.isPending} disabled={!form.chosen}>
          Continue to payment
        </Button>
        {onCancel && (
          <Button variant="quiet" waits={choose.isPending} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </Form>
  )
}

/** Asks how an unpaid checkout reaches its customer, and where. */
export function ShippingForm(props: Omit<Props, 'kept'>) {
  const { data: kept, isError } = useQuery(addressesQuery)
  if (!kept && !isError) return <Skeleton className="h-96 w-full" />
  return (
    <>
      <h2 className="mb-5 font-semibold text-2xl tracking-tight">Delivery</h2>
      <ShippingFields {...props} kept={kept ?? []} />
    </>
  )
}
