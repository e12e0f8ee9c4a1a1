import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { type UseFormReturn, useController, useForm } from 'react-hook-form'
import type { AdminPart, PartDetails, PartField } from '#contracts/parts.ts'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { useEditPart } from './admin-queries.ts'
import { type EditConflict, editConflicts } from './edit-conflict.ts'
import { EditForm, formOf, type PartForm } from './part-form-schema.ts'
import { usePictureUpload } from './use-picture-upload.ts'
import { isOnItsWay, useSendAfterPicture } from './use-send-after-picture.ts'

type Form = UseFormReturn<PartForm, unknown, PartDetails>

function useFields(part: AdminPart, owner: string) {
  const form: Form = useForm({
    resolver: zodResolver(EditForm),
    mode: 'onTouched',
    defaultValues: formOf(part),
  })
  const image = useController({ control: form.control, name: 'image' })
  const uploading = usePictureUpload(image.field.onChange)
  // a draft belongs to the part as it was when it was typed; after the picture, which has to be listening
  const clearDraft = useDraft(form, `product ${part._id} ${part.version}`, owner)
  return { form, image, uploading, clearDraft }
}

/** What the form began with, following the part when it changes elsewhere, and what is new in it. */
function useBase(part: AdminPart, form: Form) {
  const [base, setBase] = useState(part)
  const [changes, setChanges] = useState<EditConflict[]>([])
  useEffect(() => {
    if (part.version <= base.version) return
    const now = formOf(part)
    const news = editConflicts(formOf(base), now, form.getValues())
    form.reset(now, { keepDirtyValues: true, keepErrors: true })
    setBase(part)
    if (news.length > 0) setChanges(news)
  }, [part, base, form])
  return { base, setBase, changes, setChanges }
}

const isOutdated = (error: Error | null) => error instanceof ApiError && error.code === 'OUTDATED'

/** What to say at each field, and under the form. */
function toldOf(error: Error | null, form: Form) {
  const refused = error instanceof ApiError ? error.fields : undefined
  return {
    errorOf: (name: PartField) => form.formState.errors[name]?.message ?? refused?.[name],
    /** Why the last try failed, unless a field or the news about the other's change says it. */
    problem: refused || isOutdated(error) ? undefined : error?.message,
  }
}

/**
 * The form of a part that exists. When the part changes elsewhere, fields that were not touched here follow, and those
 * that were keep what is typed; either is told.
 * @param owner e-mail of who types, for the draft
 */
export function useEditForm(part: AdminPart, owner: string) {
  const edit = useEditPart(part._id)
  const { form, image, uploading, clearDraft } = useFields(part, owner)
  const { base, setBase, changes, setChanges } = useBase(part, form)
  useSignedOutUnlessAdmin(edit.error)

  /** The form holds the part as it is, and nothing else waits. */
  function restart(as: AdminPart) {
    clearDraft()
    uploading.clear()
    setChanges([])
    form.reset(formOf(as))
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

  /** The choice about a field that both changed; without one, the news is put away. */
  function settle({ name, theirs }: EditConflict, take: 'mine' | 'theirs') {
    if (take === 'theirs') {
      if (name === 'image') uploading.clear()
      form.setValue(name, theirs, { shouldDirty: true, shouldValidate: true })
    }
    setChanges((all) => all.filter((change) => change.name !== name))
  }

  return {
    edit,
    form,
    image,
    uploading,
    isDirty: form.formState.isDirty || isOnItsWay(uploading.upload),
    ...useSendAfterPicture(form, uploading.upload, send),
    discard,
    changes,
    settle,
    forgetChanges: () => setChanges([]),
    ...toldOf(edit.error, form),
  }
}
