import { csvMessages, type ImportProblem } from '#contracts/parts-csv.ts'
import { AppError } from '#server/errors.ts'
import { ownProcess, ProcessEnded } from '#server/own-process.ts'
import type { CsvLine } from './parse-csv.ts'
import type { FileToRead, PartsFile, ReadPartsFile } from './read-parts-file.ts'

/**
 * Reads files of parts in a process of its own, one at a time, within a minute of processor time and 512 MB.
 * @param lower its priority below ours
 * @returns reads a file @throws AppError TOO_LARGE, also for one that takes more than that
 */
export function partsFileReader(lower = 10): ReadPartsFile {
  const run = ownProcess<FileToRead, CsvLine, PartsFile | { invalid: ImportProblem }>({
    work: 'reads files of parts',
    program: 'file-process',
    caller: import.meta.filename,
    lower,
    // a minute of processor time on a machine that has other things to do
    longestMs: 600_000,
    heapMb: 512,
  })
  return (file) =>
    run(file).catch((error: unknown) => {
      if (error instanceof ProcessEnded) throw new AppError('TOO_LARGE', csvMessages.tooDear)
      throw error
    })
}
