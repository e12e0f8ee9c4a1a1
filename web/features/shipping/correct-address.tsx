import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { inOneLine } from '#contracts/address-lines.ts'
import { type Address, AddressCorrection } from '#contracts/addresses.ts'
import type { Checkout } from '#contracts/checkouts.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCorrectAddress } from './queries.ts'

type DialogProps = { checkoutId: string; address: Address; onClose: () => void }

function CorrectDialog({ checkoutId, address, onClose }: DialogProps) {
  const { name, company, line1, line2 } = address
  const form = useForm({
    resolver: zodResolver(AddressCorrection),
    mode: 'onTouched',
    defaultValues: { name, company, line1, line2 },
  })
  const correct = useCorrectAddress(checkoutId)
  const { errors } = form.formState
  const field = (of: keyof AddressCorrection, autofill: string) => ({
    autoComplete: `shipping ${autofill}`,
    error: errors[of]?.message ?? '',
    ...form.register(of),
  })
  return (
    <FormDialog
      title="Correct the address"
      about="City, postcode and country stay: the price of the delivery depends on them."
      confirmText="Save"
      busyText="Saving…"
      busy={correct.isPending}
      error={correct.error?.message}
      onSubmit={form.handleSubmit(async (correction) => {
        try {
          await correct.mutateAsync(correction)
        } catch {
          return
        }
        toast('success', `It goes to ${inOneLine({ ...address, ...correction })}.`)
        onClose()
      })}
      onCancel={onClose}
    >
      <Field label="Name" {...field('name', 'name')} />
      <Field label="Company (optional)" {...field('company', 'organization')} />
      <Field label="Street and number" {...field('line1', 'address-line1')} />
      <Field label="Apartment, floor (optional)" {...field('line2', 'address-line2')} />
    </FormDialog>
  )
}

/** Corrects the address of a paid checkout that is not shipped yet. */
export function CorrectAddress({ checkout }: { checkout: Checkout }) {
  const [isOpen, setOpen] = useState(false)
  const { shipTo } = checkout.shipping
  if (!shipTo) return null
  return (
    <>
      <button
        type="button"
        className="link min-h-11 cursor-pointer text-sm print:hidden"
        onClick={() => setOpen(true)}
      >
        Correct the address
      </button>
      {isOpen && (
        <CorrectDialog checkoutId={checkout._id} address={shipTo} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
