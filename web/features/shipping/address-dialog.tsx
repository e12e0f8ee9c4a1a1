import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Address, emptyAddress, type KeptAddress } from '#contracts/addresses.ts'
import { countryCodes } from '#contracts/countries.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { ApiError } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { AddressFields } from './address-fields.tsx'
import { useSaveAddress } from './queries.ts'

/** Adds or changes a kept address. @param kept undefined for a new one */
export default function AddressDialog({
  kept,
  onClose,
}: {
  kept: KeptAddress | undefined
  onClose: () => void
}) {
  const name = useSession().user?.name ?? ''
  const form = useForm({
    resolver: zodResolver(Address),
    mode: 'onTouched',
    defaultValues: kept?.address ?? { ...emptyAddress, name },
  })
  const save = useSaveAddress(kept?._id)
  useSignedOutBy(save.error)
  const isNamed = save.error instanceof ApiError && save.error.fields !== undefined
  const refused =
    save.error instanceof ApiError && save.error.fields
      ? Object.fromEntries(
          Object.entries(save.error.fields).map(([field, why]) => [
            field.replace('address.', ''),
            why,
          ]),
        )
      : undefined
  return (
    <FormDialog
      title={kept ? 'Change the address' : 'Add an address'}
      about="You can choose it when you pay. Orders keep the address that they were paid with."
      confirmText="Save"
      busyText="Saving…"
      busy={save.isPending}
      error={isNamed ? undefined : save.error?.message}
      onSubmit={form.handleSubmit(async (address) => {
        try {
          await save.mutateAsync({ address, isDefault: kept?.isDefault ?? false })
        } catch {
          return
        }
        onClose()
      })}
      onCancel={onClose}
    >
      <AddressFields form={form} countries={countryCodes} section="shipping" refused={refused} />
    </FormDialog>
  )
}
