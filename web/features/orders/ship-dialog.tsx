import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Shipment } from '#contracts/orders.ts'
import { Field } from '#web/components/field.tsx'
import { FormDialog } from '#web/components/form-dialog.tsx'

type Props = {
  about: string
  /** A tracking number belongs to one order. */
  many?: boolean
  busy: boolean
  error?: string | undefined
  onShip: (shipment: Shipment) => void
  onCancel: () => void
}

/** Asks by whom and under which number an order is sent; both may be left empty. */
export function ShipDialog({ about, many = false, busy, error, onShip, onCancel }: Props) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(Shipment),
    defaultValues: { carrier: '', trackingNumber: '' },
  })
  return (
    <FormDialog
      title="Make shipped"
      about={`${about} ${many ? 'The customers get' : 'The customer gets'} a mail.`}
      confirmText="make shipped"
      busyText="Shipping…"
      busy={busy}
      error={error}
      onSubmit={handleSubmit(onShip)}
      onCancel={onCancel}
    >
      <Field
        label="Carrier (optional)"
        autoComplete="off"
        error={formState.errors.carrier?.message}
        {...register('carrier')}
      />
      {!many && (
        <Field
          label="Tracking number (optional)"
          autoComplete="off"
          spellCheck={false}
          error={formState.errors.trackingNumber?.message}
          {...register('trackingNumber')}
        />
      )}
    </FormDialog>
  )
}
