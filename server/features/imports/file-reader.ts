import { csvMessages, type ImportProblem } from '#contracts/parts-csv.ts'
import { AppError } from '#server/errors.ts'
import { ownProcess, ProcessEnded } from '#server/own-process.ts'
import type { CsvLine } from './parse-csv.ts'
import type { FileToRead, PartsFile, ReadPartsFile } from './read-parts-file.ts'

/** Bytes of files that wait to be read, beside the first: this process holds them. */
const maxWaiting = 64 * 1024 * 1024

/**
 * Reads files of parts in a process of its own, one at a time, within a minute of processor time and 768 MB.
 * @param lower its priority below ours: an owner waits for it, so by 4, with which it gets a third of a processor that both want
 * @returns reads a file @throws AppError TOO_LARGE, also for one that takes more than that; UNAVAILABLE while others wait
 */
export function partsFileReader(lower = 4): ReadPartsFile {
  const run = ownProcess<FileToRead, CsvLine, PartsFile | { invalid: ImportProblem }>({
    work: 'reads files of parts',
    program: 'file-process',
    caller: import.meta.filename,
    lower,
    // a minute of processor time on a machine that has other things to do
    longestMs: 600_000,
  })
  let waiting = 0
  return async (file) => {
    if (waiting > 0 && waiting + file.bytes.length > maxWaiting)
      throw new AppError(
        'UNAVAILABLE',
        'The shop is reading other files. Try again.',
        undefined,
        30,
      )
    waiting += file.bytes.length
    try {
      return await run(file)
    } catch (error) {
      if (error instanceof ProcessEnded) throw new AppError('TOO_LARGE', csvMessages.tooMuchToRead)
      throw error
    } finally {
      waiting -= file.bytes.length
    }
  }
}
