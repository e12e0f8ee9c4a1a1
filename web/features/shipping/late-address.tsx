import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { inOneLine } from '#contracts/address-lines.ts'
import { Address, emptyAddress } from '#contracts/addresses.ts'
import { countriesOf } from '#contracts/shipping-rules.ts'
import { Button } from '#web/components/button.tsx'
import { FormDialog } from '#web/components/dialogs.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { AddressFields } from './address-fields.tsx'
import { methodsQuery, useAddLateAddress } from './queries.ts'

type DialogProps = { checkoutId: string; name: string; countries: string[]; onClose: () => void }

function LateAddressDialog({ checkoutId, name, countries, onClose }: DialogProps) {
  const country = countries.length === 1 ? (countries[0] ?? '') : ''
  const form = useForm({
    resolver: zodResolver(Address),
    mode: 'onTouched',
    defaultValues: { ...emptyAddress, name, country },
  })
  const add = useAddLateAddress(checkoutId)
  const fields = add.error instanceof ApiError ? Object.entries(add.error.fields ?? {}) : []
  const refused = fields.flatMap(([field, why]) =>
    field.startsWith('address.') ? [[field.replace('address.', ''), why]] : [],
  )
  return (
    <FormDialog
      title="Where to?"
      about="You can say it once. We write to you about the delivery and its price."
      confirmText="Save"
      busyText="Saving…"
      busy={add.isPending}
      error={refused.length > 0 ? undefined : add.error?.message}
      onSubmit={form.handleSubmit(async (address) => {
        try {
          await add.mutateAsync(address)
        } catch {
          return
        }
        toast('success', `It goes to ${inOneLine(address)}.`)
        onClose()
      })}
      onCancel={onClose}
    >
      <AddressFields
        form={form}
        countries={countries}
        section="shipping"
        refused={refused.length > 0 ? Object.fromEntries(refused) : undefined}
      />
    </FormDialog>
  )
}

/**
 * Asks where an order goes that was paid without a delivery; nothing in a shop that delivers
 * nowhere.
 */
export function LateAddress({ checkoutId, name }: Pick<DialogProps, 'checkoutId' | 'name'>) {
  const { data: methods = [] } = useQuery(methodsQuery)
  const [isOpen, setOpen] = useState(false)
  const countries = countriesOf(methods)
  if (countries.length === 0) return null
  return (
    <section aria-labelledby="where-to" className="mt-8">
      <h2 id="where-to" className="mb-3 font-semibold text-2xl tracking-tight">
        Where to?
      </h2>
      <p className="mb-3 text-pretty">
        This order was paid without a delivery. Say where it goes, or agree with us to pick it up.
      </p>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        Add the address
      </Button>
      {isOpen && (
        <LateAddressDialog
          checkoutId={checkoutId}
          name={name}
          countries={countries}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}
