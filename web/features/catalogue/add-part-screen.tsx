import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useController, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type { Kind } from '#contracts/kinds.ts'
import { messages } from '#contracts/messages.ts'
import type { NewPart } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { PictureInput } from '#web/features/pictures/picture-input.tsx'
import { PictureList, usePictures } from '#web/features/pictures/picture-list.tsx'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { kindsQuery, useAddPart } from './admin-queries.ts'
import {
  addSchema,
  emptyPart,
  type FormField,
  formGrid,
  PartFields,
  type PartForm,
  refusedName,
  useSendAfterPictures,
} from './part-form.tsx'

export const meta = titled('Add a product')

/**
 * The form of 'Add a product'.
 * @param owner the admin's e-mail, for the draft
 */
function useAddForm(owner: string, kinds: Kind[]) {
  const add = useAddPart()
  const form = useForm<PartForm, unknown, NewPart>({
    resolver: zodResolver(addSchema(kinds)),
    mode: 'onTouched',
    defaultValues: emptyPart(kinds),
  })
  const image = useController({ control: form.control, name: 'image' })
  const pictures = usePictures(form, '')
  // after useController, which must subscribe before the draft is restored
  const clearDraft = useDraft(form, 'product', owner)
  useSignedOutUnlessAdmin(add.error)
  // a double click can arrive before the button is disabled
  const adding = useRef(false)

  function save(part: NewPart) {
    if (adding.current) return
    adding.current = true
    add.mutate(part, {
      onSuccess: () => {
        clearDraft()
        pictures.clear()
        form.reset(emptyPart(kinds))
        form.setFocus('name')
        void toast('success', messages.partAdded)
      },
      onSettled: () => {
        adding.current = false
      },
    })
  }

  const sending = useSendAfterPictures(form, pictures, form.handleSubmit(save))

  function discard() {
    clearDraft()
    pictures.clear()
    form.reset(emptyPart(kinds))
    add.reset()
  }

  const refused = add.error instanceof ApiError ? add.error.fields : undefined
  const errorOf = (name: FormField) =>
    form.formState.errors[name]?.message ?? refused?.[refusedName(name)]
  return { add, form, image, pictures, ...sending, discard, errorOf, refused }
}

function noteOn(isDirty: boolean, waiting: boolean) {
  if (waiting) return 'The product is added as soon as its picture is uploaded.'
  return isDirty && 'Not added yet. What you typed stays in this tab.'
}

function AddForm({ owner, kinds }: { owner: string; kinds: Kind[] }) {
  const { add, form, image, pictures, waiting, submit, discard, errorOf } = useAddForm(owner, kinds)
  const field = (name: FormField) => ({ ...form.register(name), error: errorOf(name) })
  return (
    <Form onSubmit={submit} onChange={() => add.isError && add.reset()}>
      <div className={formGrid}>
        <div>
          <PictureInput
            value={image.field.value}
            uploading={pictures.uploading}
            error={errorOf('image')}
            onBlur={image.field.onBlur}
            inputRef={image.field.ref}
          />
          <PictureList pictures={pictures} typed={form.watch()} error={errorOf('morePictures')} />
        </div>
        <div>
          <PartFields kinds={kinds} field={field} typed={form.watch()} isNew />
        </div>
      </div>
      <p role="alert" className="pb-4 text-danger empty:pb-0">
        {add.error && <span className="block font-semibold">{messages.partFailed}</span>}
        {add.error && add.error.message !== messages.partFailed && add.error.message}
      </p>
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
        <Button
          type="submit"
          loading={waiting || add.isPending}
          loadingText={waiting ? 'Waiting for the picture…' : undefined}
        >
          Add product
        </Button>
        {form.formState.isDirty && (
          <Button variant="quiet" waits={add.isPending} onClick={discard}>
            Discard
          </Button>
        )}
        <p role="status" className="text-dim text-sm empty:hidden">
          {noteOn(form.formState.isDirty, waiting)}
        </p>
      </div>
      <p role="status" className="pt-4 empty:pt-0">
        {add.data && (
          <>
            {add.data.name} is {add.data.state === 'draft' ? 'a draft' : 'on sale'} now.{' '}
            {add.data.state !== 'draft' && (
              <>
                <Link to={`/parts?q=${encodeURIComponent(add.data.name)}`} className="link">
                  Find it in the shop
                </Link>
                {' or '}
              </>
            )}
            <Link to={`/dashboard/products/${add.data._id}`} className="link">
              change it
            </Link>
            .
          </>
        )}
      </p>
    </Form>
  )
}

/** Adds a product: a part with its first stock, on sale at once. */
export default function AddPartScreen() {
  const { user } = useSession()
  const { data: kinds, error, refetch } = useQuery(kindsQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  return (
    <section aria-labelledby="add-product">
      <h1 id="add-product" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Add a product
      </h1>
      <p className="mt-2 mb-6 max-w-[56ch] text-dim">
        It is on sale as soon as you add it, unless you keep it as a draft.
      </p>
      <div className="card p-5 sm:p-8">
        {user && kinds && <AddForm key={user.email} owner={user.email} kinds={kinds} />}
        {!kinds &&
          (error && !leaving ? (
            <ErrorState message={error.message} onRetry={() => refetch()} />
          ) : (
            <Skeleton className="h-[36rem] w-full" />
          ))}
      </div>
    </section>
  )
}
