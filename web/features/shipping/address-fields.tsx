import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { addressWords, namesPostcode, namesRegion } from '#contracts/address-lines.ts'
import type { Address } from '#contracts/addresses.ts'
import { countryName } from '#contracts/country-name.ts'
import { Field, Select } from '#web/components/field.tsx'
import { regionsQuery } from './queries.ts'

type Props = {
  form: UseFormReturn<Address>
  /** The countries to choose from, by their codes. */
  countries: string[]
  /** What the browser fills in: the address of the parcel or that of the invoice. */
  section: 'shipping' | 'billing'
  /** What the shop refused, by field. */
  refused: Record<string, string> | undefined
}

/** The fields of a postal address, in the order in which browsers and people fill them in. */
export function AddressFields({ form, countries, section, refused }: Props) {
  const { errors } = form.formState
  const [country, region] = [form.watch('country'), form.watch('region')]
  const { data: regions = [] } = useQuery(regionsQuery(country))
  const asksRegion = regions.length > 0 && namesRegion(country)
  const words = addressWords(country)
  const isOptional = country !== '' && !namesPostcode(country)
  const errorOf = (name: keyof Address) => errors[name]?.message ?? refused?.[name] ?? ''
  const shared = (name: keyof Address, autofill: string) => ({
    autoComplete: `${section} ${autofill}`,
    error: errorOf(name),
    ...form.register(name),
  })
  const choose = (name: keyof Address) => (value: string) =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: true })
  const byName = countries
    .map((code): [string, string] => [code, countryName(code)])
    .sort(([, a], [, b]) => a.localeCompare(b, 'en'))
  return (
    <div className="grid gap-x-5 sm:grid-cols-2">
      <div className="field sm:col-span-2">
        <Select
          label="Country"
          hint={
            countries.length <= 6
              ? `We deliver to ${byName.map(([, name]) => name).join(', ')}.`
              : undefined
          }
          value={country}
          choices={Object.fromEntries([...(country ? [] : [['', 'Choose a country']]), ...byName])}
          autoComplete={`${section} country`}
          error={errorOf('country')}
          onChange={(value) => {
            choose('country')(value)
            form.setValue('region', '')
          }}
        />
      </div>
      <Field label="Name" {...shared('name', 'name')} />
      <Field label="Company (optional)" {...shared('company', 'organization')} />
      <Field
        label="Street and number"
        className="sm:col-span-2"
        {...shared('line1', 'address-line1')}
      />
      <Field
        label="Apartment, floor (optional)"
        className="sm:col-span-2"
        {...shared('line2', 'address-line2')}
      />
      <Field
        label={`${words.postcode}${isOptional ? ' (optional)' : ''}`}
        {...shared('postcode', 'postal-code')}
      />
      <Field label="City" {...shared('city', 'address-level2')} />
      {asksRegion && (
        <div className="field sm:col-span-2">
          <Select
            label={words.region}
            value={region}
            choices={{
              '': 'Choose one',
              ...Object.fromEntries(regions.map(({ code, name }) => [code, name])),
            }}
            autoComplete={`${section} address-level1`}
            error={errorOf('region')}
            onChange={choose('region')}
          />
        </div>
      )}
    </div>
  )
}
