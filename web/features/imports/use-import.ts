/**
 * The steps from choosing a file to importing it: the chosen file, the result of its check, and the
 * possible next steps.
 */
import { useState } from 'react'
import {
  csvMessages,
  type ImportPlan,
  type ImportReport,
  importLimits,
} from '#contracts/parts-csv.ts'
import {
  type ImportProgress,
  saveSupplier,
  useImportParts,
} from '#web/features/catalogue/admin-queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { useNewestWork } from '#web/lib/use-newest-work.ts'

/**
 * Reads the chosen file once, so that the import writes what was checked even if the file changes
 * meanwhile.
 * @throws Error with a message for the admin
 */
async function readFile(files: File[]): Promise<Blob> {
  const [file, ...more] = files
  if (!file || more.length > 0) throw new Error('Choose one file at a time.')
  if (file.size > importLimits.bytes) throw new Error(csvMessages.tooLarge)
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error('The file can’t be read. Choose it again.')
  })
  if (bytes.byteLength === 0) throw new Error('The file is empty. Choose another file.')
  return new Blob([bytes])
}

/** `supplier` is the file's supplier; undefined for the shop's own file, and until it is known. */
type Chosen = { name: string; file: Blob; supplier?: string | undefined }

/**
 * The state of the import. `refused`: the file is not importable. `failed`: no response, so it is
 * unknown whether it was imported; another check tells. `late`: it passed its check but no longer
 * does.
 */
export type Import =
  | { phase: 'none' }
  | { phase: 'refused'; message: string }
  | { phase: 'checking'; chosen: Chosen; report?: ImportReport }
  | { phase: 'importing'; chosen: Chosen; report: ImportReport; progress?: ImportProgress }
  | { phase: 'failed'; chosen: Chosen; message: string; report?: ImportReport }
  | { phase: 'checked'; chosen: Chosen; report: ImportReport; late: boolean }
  | { phase: 'done'; report: ImportReport }

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** An invalid file is refused for good; after any other error a retry may succeed. */
function failureOf(error: unknown, chosen: Chosen, report?: ImportReport): Import {
  const message = messageOf(error)
  const isRefused = error instanceof ApiError && ['TOO_LARGE', 'UNSUPPORTED'].includes(error.code)
  if (isRefused) return { phase: 'refused', message }
  return { phase: 'failed', chosen, message, ...(report && { report }) }
}

/** Imports a file of products: checks it when chosen, writes it on demand. */
export function useImport() {
  const check = useImportParts(true)
  const write = useImportParts(false)
  const [state, setState] = useState<Import>({ phase: 'none' })
  // a new check supersedes the previous one, whose late response is ignored
  const { begin } = useNewestWork()
  const leaving = useSignedOutUnlessAdmin(check.error ?? write.error)

  async function checkFile(
    chosen: Chosen,
    signal: AbortSignal,
    before?: ImportReport,
  ): Promise<void> {
    setState({ phase: 'checking', chosen, ...(before && { report: before }) })
    const next = await check.mutateAsync(chosen).then(
      (report): Import => {
        const supplier = report.file?.supplier ?? undefined
        return { phase: 'checked', chosen: { ...chosen, supplier }, report, late: false }
      },
      (error): Import => failureOf(error, chosen),
    )
    if (!signal.aborted) setState(next)
  }

  /** Stores how the supplier's files are read, and checks this file accordingly. */
  async function checkAs(supplier: string, plan: ImportPlan): Promise<void> {
    if (state.phase !== 'checked') return
    const signal = begin()
    const { chosen, report } = state
    setState({ phase: 'checking', chosen, report })
    try {
      await saveSupplier({ name: supplier, plan })
      if (!signal.aborted) await checkFile({ ...chosen, supplier }, signal, report)
    } catch (error) {
      if (!signal.aborted) setState(failureOf(error, chosen, report))
    }
  }

  async function choose(files: File[]): Promise<void> {
    if (files.length === 0 || state.phase === 'importing') return
    const signal = begin()
    try {
      const file = await readFile(files)
      const name = (files[0]?.name ?? '').slice(0, 200)
      if (!signal.aborted) await checkFile({ name, file }, signal)
    } catch (error) {
      if (!signal.aborted) setState({ phase: 'refused', message: messageOf(error) })
    }
  }

  async function run(accept: 'all' | 'right'): Promise<void> {
    if (state.phase !== 'checked') return
    const { chosen, report } = state
    setState({ phase: 'importing', chosen, report })
    try {
      const onProgress = (progress: ImportProgress) =>
        setState({ phase: 'importing', chosen, report, progress })
      const written = await write.mutateAsync({ ...chosen, accept, onProgress })
      if (written.problems.length > 0 && !written.batch)
        setState({ phase: 'checked', chosen, report: written, late: true })
      else setState({ phase: 'done', report: written })
    } catch (error) {
      setState(failureOf(error, chosen))
    }
  }

  return {
    state,
    leaving,
    choose,
    checkAs,
    run,
    again: () => setState({ phase: 'none' }),
    checkAgain: () => {
      if (state.phase === 'failed') void checkFile(state.chosen, begin())
    },
  }
}
