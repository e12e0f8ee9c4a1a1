import { zodResolver } from '@hookform/resolvers/zod'
import { Fragment, useEffect, useState } from 'react'
import { type UseFormReturn, useController, useForm } from 'react-hook-form'
import { noPicture } from '#contracts/drawings.ts'
import type { Kind } from '#contracts/kinds.ts'
import { isAmount } from '#contracts/money.ts'
import { type AdminPart, type PartDetails, partField } from '#contracts/parts.ts'
import type { PartPicture } from '#contracts/pictures.ts'
import { Button } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { PictureInput } from '#web/features/pictures/picture-input.tsx'
import { PictureList, usePictures } from '#web/features/pictures/picture-list.tsx'
import { ApiError } from '#web/lib/api.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useEditPart } from './admin-queries.ts'
import {
  editSchema,
  type FormField,
  formGrid,
  formOf,
  isUploading,
  PartFields,
  type PartForm,
  refusedName,
  useSendAfterPictures,
} from './part-form.tsx'
import { findKind, isSpecName, keyOf, specLabel } from './spec-fields.tsx'

/**
 * A field that another admin changed during this edit. `typed` is null if this admin did not edit
 * it differently.
 */
type EditConflict = { name: FormField; before: string; saved: string; typed: string | null }

/** The fields that another admin changed since this edit began with `before`. */
function editConflicts(before: PartForm, saved: PartForm, typed: PartForm): EditConflict[] {
  return (Object.entries(before) as [FormField, string][])
    .map(([name, was]) => ({ name, was, now: saved[name] ?? '', here: typed[name] ?? '' }))
    .filter(({ name, was, now }) => name !== 'availableQuantity' && was !== now)
    .map(({ name, was, now, here }) => {
      const differs = here !== was && here !== now
      return { name, before: was, saved: now, typed: differs ? here : null }
    })
}

/** The label of an input. */
function labelOf(name: FormField, kinds: Kind[], typed: PartForm): string {
  if (!isSpecName(name)) return partField(name).label
  const all = [findKind(kinds, typed.kind), ...kinds].flatMap((kind) => kind?.fields ?? [])
  const field = all.find(({ key }) => key === keyOf(name))
  return field ? specLabel(field) : keyOf(name)
}

function Thumb({ address }: { address: string }) {
  return (
    <span className="inline-block max-w-20 thumb align-middle">
      <Picture src={address} alt="" sizes="80px" />
    </span>
  )
}

function Value({ name, value }: { name: FormField; value: string }) {
  const money = useMoney()
  if (value === '') return 'not stated'
  if (isSpecName(name)) return <q className="break-words">{value}</q>
  const { format } = partField(name)
  if (format === 'picture') return <Thumb address={value} />
  if (format === 'pictures') {
    const pictures: PartPicture[] = JSON.parse(value)
    if (pictures.length === 0) return 'none'
    return pictures.map(({ image, alt }) => (
      <Fragment key={image}>
        <Thumb address={image} /> {alt && <q className="break-words">{alt}</q>}{' '}
      </Fragment>
    ))
  }
  if (format === 'amount' && isAmount(Number(value))) return <strong>{money(Number(value))}</strong>
  return <q className="break-words">{value}</q>
}

type NoticeProps = {
  conflicts: EditConflict[]
  label: (name: FormField) => string
  onResolve: (conflict: EditConflict, take: 'saved' | 'typed') => void
  onDismiss: () => void
}

/**
 * Shows the other admin's changes, with a choice for fields that were edited here too. Typed values
 * stay.
 */
function EditConflictNotice({ conflicts, label, onResolve, onDismiss }: NoticeProps) {
  if (conflicts.length === 0) return null
  const isOpen = conflicts.some(({ typed }) => typed !== null)
  return (
    <div role="alert" className="my-6 rounded-card border border-amber p-5">
      <p className="font-semibold">Another admin changed this product meanwhile.</p>
      <p className="text-dim text-sm">
        {isOpen
          ? 'What you typed is still here and not saved. Choose, then save again.'
          : 'The form shows the new values. What you typed is still here.'}
      </p>
      <ul className="mt-3 grid gap-3">
        {conflicts.map((conflict) => (
          <li
            key={conflict.name}
            className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-t pt-3"
          >
            <p className="min-w-0 flex-1">
              <span className="label block">{label(conflict.name)}</span>
              was <Value name={conflict.name} value={conflict.before} />, is now{' '}
              <Value name={conflict.name} value={conflict.saved} />
              {conflict.typed !== null && (
                <>
                  ; you typed <Value name={conflict.name} value={conflict.typed} />
                </>
              )}
            </p>
            {conflict.typed !== null && (
              <p className="flex flex-wrap gap-2">
                <RowButton
                  aria-label={`Use the new value: ${label(conflict.name)}`}
                  onClick={() => onResolve(conflict, 'saved')}
                >
                  Use the new value
                </RowButton>
                <RowButton
                  aria-label={`Keep what I typed: ${label(conflict.name)}`}
                  onClick={() => onResolve(conflict, 'typed')}
                >
                  Keep what I typed
                </RowButton>
              </p>
            )}
          </li>
        ))}
      </ul>
      {!isOpen && (
        <Button variant="quiet" className="mt-3" onClick={onDismiss}>
          Understood
        </Button>
      )}
    </div>
  )
}

type PartFormState = UseFormReturn<PartForm, unknown, PartDetails>

function useFields(part: AdminPart, owner: string, kinds: Kind[]) {
  const form: PartFormState = useForm({
    resolver: zodResolver(editSchema(kinds)),
    mode: 'onTouched',
    defaultValues: formOf(part, kinds),
  })
  const image = useController({ control: form.control, name: 'image' })
  const pictures = usePictures(form, noPicture)
  // a draft belongs to the version of the part it was typed for; after useController, as in the add
  // form
  const clearDraft = useDraft(form, `product ${part._id} ${part.version}`, owner)
  return { form, image, pictures, clearDraft }
}

/**
 * The part on which the edit is based. When another admin saves, it follows the saved part and
 * collects the conflicts.
 */
function useBase(part: AdminPart, form: PartFormState, kinds: Kind[]) {
  const [base, setBase] = useState(part)
  const [conflicts, setConflicts] = useState<EditConflict[]>([])
  useEffect(() => {
    if (part.version <= base.version) return
    const now = formOf(part, kinds)
    const found = editConflicts(formOf(base, kinds), now, form.getValues())
    form.reset(now, { keepDirtyValues: true, keepErrors: true })
    setBase(part)
    if (found.length > 0) setConflicts(found)
  }, [part, base, form, kinds])
  return { base, setBase, conflicts, setConflicts }
}

const isOutdated = (error: Error | null) => error instanceof ApiError && error.code === 'OUTDATED'

/** The error of each field, and the one below the form. */
function errorsOf(error: Error | null, form: PartFormState) {
  const refused = error instanceof ApiError ? error.fields : undefined
  return {
    errorOf: (name: FormField) =>
      form.formState.errors[name]?.message ?? refused?.[refusedName(name)],
    /** Why the last save failed, unless a field or the edit conflict shows it. */
    problem: refused || isOutdated(error) ? undefined : error?.message,
  }
}

/**
 * The form of an existing part. When another admin saves the part, unedited fields follow, edited
 * ones keep the typed values, and the notice shows both.
 * @param owner the admin's e-mail, for the draft
 */
function useEditForm(part: AdminPart, owner: string, kinds: Kind[]) {
  const edit = useEditPart(part._id)
  const { form, image, pictures, clearDraft } = useFields(part, owner, kinds)
  const { base, setBase, conflicts, setConflicts } = useBase(part, form, kinds)
  useSignedOutUnlessAdmin(edit.error)

  /** Resets the form to the part, without draft, upload or conflicts. */
  function restart(as: AdminPart) {
    clearDraft()
    pictures.clear()
    setConflicts([])
    form.reset(formOf(as, kinds))
  }

  async function save(details: PartDetails) {
    try {
      await edit.mutateAsync({ ...details, version: base.version })
    } catch {
      return
    }
    const saved = { ...base, ...details, version: base.version + 1 }
    restart(saved)
    setBase(saved)
    void toast('success', 'Product saved')
  }

  const send = form.handleSubmit((details) => {
    if (!edit.isPending) return save(details)
  })

  function discard() {
    restart(base)
    edit.reset()
  }

  function resolve({ name, saved }: EditConflict, take: 'saved' | 'typed') {
    if (take === 'saved') {
      if (name === 'image') pictures.uploading.clear()
      form.setValue(name, saved, { shouldDirty: true, shouldValidate: true })
    }
    setConflicts((all) => all.filter((conflict) => conflict.name !== name))
  }

  return {
    edit,
    form,
    image,
    pictures,
    isDirty:
      form.formState.isDirty || isUploading(pictures.uploading.upload) || pictures.queue.isBusy,
    ...useSendAfterPictures(form, pictures, send),
    discard,
    conflicts,
    resolve,
    dismissConflicts: () => setConflicts([]),
    ...errorsOf(edit.error, form),
  }
}

function noteOn(isDirty: boolean, waiting: boolean): string {
  if (waiting) return 'The product is saved as soon as its picture is uploaded.'
  return isDirty ? 'Not saved yet. What you typed stays in this tab.' : 'Everything is saved.'
}

type Props = {
  part: AdminPart
  /** The admin's e-mail, for the draft. */
  owner: string
  kinds: Kind[]
}

/** Edits everything about a part except its stock. */
export function EditPartForm({ part, owner, kinds }: Props) {
  const { form, image, errorOf, edit, isDirty, ...rest } = useEditForm(part, owner, kinds)
  const field = (name: FormField) => ({ ...form.register(name), error: errorOf(name) })
  return (
    <Form onSubmit={rest.submit} onChange={() => edit.isError && edit.reset()}>
      <div className={formGrid}>
        <div>
          <PictureInput
            value={image.field.value}
            uploading={rest.pictures.uploading}
            error={errorOf('image')}
            onBlur={image.field.onBlur}
            inputRef={image.field.ref}
          />
          <PictureList
            pictures={rest.pictures}
            typed={form.watch()}
            error={errorOf('morePictures')}
          />
        </div>
        <div>
          <PartFields
            kinds={kinds}
            field={field}
            typed={{ ...form.watch(), availableQuantity: String(part.availableQuantity) }}
            isNew={false}
          />
        </div>
      </div>
      <EditConflictNotice
        conflicts={rest.conflicts}
        label={(name) => labelOf(name, kinds, form.getValues())}
        onResolve={rest.resolve}
        onDismiss={rest.dismissConflicts}
      />
      <p role="alert" className="pb-4 text-danger empty:pb-0">
        {rest.problem}
      </p>
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
        <Button
          type="submit"
          disabled={!isDirty}
          loading={rest.waiting || edit.isPending}
          loadingText={rest.waiting ? 'Waiting for the picture…' : undefined}
        >
          Save product
        </Button>
        {isDirty && (
          <Button variant="quiet" waits={edit.isPending} onClick={rest.discard}>
            Discard changes
          </Button>
        )}
        <p role="status" className="text-dim text-sm">
          {noteOn(isDirty, rest.waiting)}
        </p>
      </div>
    </Form>
  )
}
