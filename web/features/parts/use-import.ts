import { useRef, useState } from 'react'
import type { ImportReport } from '#contracts/parts-csv.ts'
import { ApiError } from '#web/lib/api.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { useImportParts } from './admin-queries.ts'
import { readFile } from './read-file.ts'

type Chosen = { name: string; sheet: Blob }

/**
 * Where the import is. `refused`: the file can not be one. `failed`: no answer, so that nobody here knows whether it was
 * imported; checking again tells. `late`: it was clean when it was checked, and is not any more.
 */
export type Import =
  | { phase: 'none' }
  | { phase: 'refused'; message: string }
  | { phase: 'checking' | 'importing'; chosen: Chosen; report?: ImportReport }
  | { phase: 'failed'; chosen: Chosen; message: string }
  | { phase: 'checked'; chosen: Chosen; report: ImportReport; late: boolean }
  | { phase: 'done'; report: ImportReport }

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** What is refused for what it is will be refused again; anything else is worth another try. */
function failureOf(error: unknown, chosen: Chosen): Import {
  const message = messageOf(error)
  const isRefused = error instanceof ApiError && ['TOO_LARGE', 'UNSUPPORTED'].includes(error.code)
  return isRefused ? { phase: 'refused', message } : { phase: 'failed', chosen, message }
}

/** Imports a sheet of products: first the check by itself, then, when it is asked for, the deed. */
export function useImport() {
  const check = useImportParts(true)
  const write = useImportParts(false)
  const [state, setState] = useState<Import>({ phase: 'none' })
  // what was chosen or begun last: answers to anything before it are too late
  const turn = useRef(0)
  const leaving = useSignedOutUnlessAdmin(check.error ?? write.error)

  async function diffPayment(chosen: Chosen, mine: number): Promise<void> {
    setState({ phase: 'checking', chosen })
    const next = await check.mutateAsync(chosen.sheet).then(
      (report): Import => ({ phase: 'checked', chosen, report, late: false }),
      (error): Import => failureOf(error, chosen),
    )
    if (turn.current === mine) setState(next)
  }

  async function choose(files: File[]): Promise<void> {
    if (files.length === 0 || state.phase === 'importing') return
    turn.current += 1
    const mine = turn.current
    try {
      const sheet = await readFile(files)
      if (turn.current === mine) await diffPayment({ name: files[0]?.name ?? '', sheet }, mine)
    } catch (error) {
      if (turn.current === mine) setState({ phase: 'refused', message: messageOf(error) })
    }
  }

  async function run(): Promise<void> {
    if (state.phase !== 'checked') return
    const { chosen, report } = state
    setState({ phase: 'importing', chosen, report })
    try {
      const told = await write.mutateAsync(chosen.sheet)
      if (told.problems.length > 0) setState({ phase: 'checked', chosen, report: told, late: true })
      else setState({ phase: 'done', report: told })
    } catch (error) {
      setState(failureOf(error, chosen))
    }
  }

  return {
    state,
    leaving,
    choose,
    run,
    again: () => setState({ phase: 'none' }),
    checkAgain: () => {
      if (state.phase !== 'failed') return
      turn.current += 1
      void diffPayment(state.chosen, turn.current)
    },
  }
}
