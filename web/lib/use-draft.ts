import { useEffect, useLayoutEffect, useState } from 'react'
import type { Path, PathValue, UseFormReturn } from 'react-hook-form'
import { type DraftValues, storedDraft } from './draft.ts'

type DraftedForm<F extends DraftValues> = Pick<
  UseFormReturn<F>,
  'getValues' | 'setValue' | 'subscribe'
>

/**
 * Restores the unsent input of a form, and stores further input: the fields that differ from the
 * form's initial values.
 * @param name the form and its subject
 * @param owner e-mail of the typing user
 * @returns removes the draft, for when the form is sent or discarded
 */
export function useDraft<F extends DraftValues>(
  form: DraftedForm<F>,
  name: string,
  owner: string,
): () => void {
  const [draft] = useState(() => storedDraft(name, owner))

  // before the first paint, so that no field visibly changes
  useLayoutEffect(() => {
    const draftEntries = Object.entries(draft.read() ?? {}).filter(
      ([field]) => field in form.getValues(),
    )
    for (const [field, value] of draftEntries) {
      form.setValue(field as Path<F>, value as PathValue<F, Path<F>>, { shouldDirty: true })
    }
  }, [draft, form])

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true, dirtyFields: true },
        callback({ values, dirtyFields = {} }) {
          const changed = Object.entries(values).filter(([field]) => field in dirtyFields)
          if (changed.length > 0) draft.keep(Object.fromEntries(changed))
          else draft.clear()
        },
      }),
    [draft, form],
  )

  return draft.clear
}
