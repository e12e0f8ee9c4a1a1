import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useController, useForm } from 'react-hook-form'
import { messages } from '#contracts/messages.ts'
import type { NewPart, PartField } from '#contracts/parts.ts'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { useAddPart } from './admin-queries.ts'
import { AddForm, emptyPart, type PartForm } from './part-form-schema.ts'
import { usePictureUpload } from './use-picture-upload.ts'
import { useSendAfterPicture } from './use-send-after-picture.ts'

/** The form of Add a product. @param owner e-mail of who types, for the draft */
export function useAddForm(owner: string) {
  const add = useAddPart()
  const form = useForm<PartForm, unknown, NewPart>({
    resolver: zodResolver(AddForm),
    mode: 'onTouched',
    defaultValues: emptyPart,
  })
  const image = useController({ control: form.control, name: 'image' })
  const uploading = usePictureUpload(image.field.onChange)
  // after the picture: it has to be listening when the draft comes back
  const clearDraft = useDraft(form, 'product', owner)
  useSignedOutUnlessAdmin(add.error)
  // a double click comes before the button shows that it waits
  const adding = useRef(false)

  function save(part: NewPart) {
    if (adding.current) return
    adding.current = true
    add.mutate(part, {
      onSuccess: () => {
        clearDraft()
        uploading.clear()
        form.reset(emptyPart)
        form.setFocus('name')
        void toast('success', messages.partAdded)
      },
      onSettled: () => {
        adding.current = false
      },
    })
  }

  const sending = useSendAfterPicture(form, uploading.upload, form.handleSubmit(save))

  function discard() {
    clearDraft()
    uploading.clear()
    form.reset(emptyPart)
    add.reset()
  }

  const refused = add.error instanceof ApiError ? add.error.fields : undefined
  const errorOf = (name: PartField) => form.formState.errors[name]?.message ?? refused?.[name]
  return { add, form, image, uploading, ...sending, discard, errorOf, refused }
}
