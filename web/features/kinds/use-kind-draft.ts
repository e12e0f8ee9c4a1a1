/**
 * The unsaved changes of a kind: stored for the next visit, validated, saved, and marked with the
 * server's errors.
 */
import { useEffect, useState } from 'react'
import type { KindPage } from '#contracts/kind-edits.ts'
import { useEditKind } from '#web/features/catalogue/admin-queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { type Draft, storedDraft } from '#web/lib/draft.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { type KindDraft, kindDraftOf, readDraft, refusedIn } from './kind-draft.ts'

/** The draft of an earlier visit, if it is still readable. */
function restoredDraft(storage: Draft): KindDraft | null {
  try {
    return JSON.parse(storage.read()?.kind ?? 'null')
  } catch {
    return null
  }
}

export function useKindDraft(kind: KindPage, owner: string) {
  const [storage] = useState(() => storedDraft(`kind ${kind.slug}`, owner))
  const [draft, setDraft] = useState<KindDraft>(() => restoredDraft(storage) ?? kindDraftOf(kind))
  const typed = JSON.stringify(draft)
  const isDirty = typed !== JSON.stringify(kindDraftOf(kind))
  useEffect(() => {
    if (isDirty) storage.keep({ kind: typed })
    else storage.clear()
  }, [isDirty, typed, storage])
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [open, setOpen] = useState<string[]>([])
  const edit = useEditKind(kind.slug)
  const show = (next: KindDraft, found: Record<string, string>) => {
    setProblems(found)
    const ids = next.fields.flatMap(({ id }) =>
      Object.keys(found).some((input) => input.startsWith(`${id}.`)) ? [id] : [],
    )
    if (ids.length > 0) setOpen((before) => [...new Set([...before, ...ids])])
  }
  function save(losing = false) {
    if (edit.isPending) return
    const read = readDraft(draft)
    show(draft, read.problems)
    if (!read.edit) return
    edit.mutate(
      { ...read.edit, losing },
      {
        onSuccess: (saved) => {
          setDraft(kindDraftOf(saved))
          void toast('success', `${saved.name} is saved`)
        },
        onError: (error) => {
          if (error instanceof ApiError) show(draft, refusedIn(error.fields, draft))
        },
      },
    )
  }
  return {
    draft,
    isDirty,
    clear: storage.clear,
    problems,
    edit,
    save,
    open,
    setOpen: (id: string, isOpen: boolean) =>
      setOpen((all) => (isOpen ? [...all, id] : all.filter((each) => each !== id))),
    change: (changes: Partial<KindDraft>) => {
      setDraft((before) => ({ ...before, ...changes }))
      setProblems({})
      if (edit.isError) edit.reset()
    },
    reload: (now: KindPage) => {
      setDraft(kindDraftOf(now))
      setProblems({})
      edit.reset()
    },
  }
}

export type Editing = ReturnType<typeof useKindDraft>
