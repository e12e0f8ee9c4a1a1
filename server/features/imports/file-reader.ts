import { csvMessages, type ImportProblem } from '#contracts/parts-csv.ts'
import { AppError } from '#server/errors.ts'
import { ownProcess, ProcessEnded } from '#server/own-process.ts'
import type { CsvLine } from './parse-csv.ts'
import type { FileToRead, PartsFile, ReadPartsFile } from './read-parts-file.ts'

/** The most bytes of waiting files, except the first. This process keeps them in memory. */
const maxWaiting = 64 * 1024 * 1024

/**
 * Reads parts files in a separate process, one at a time, limited to a minute of CPU time and 768
 * MB.
 * @param lower how much lower than ours the process's priority is. With 4 it gets a third of a
 *   contended CPU, because an owner waits for it
 * @returns a function that reads a file
 * @throws AppError TOO_LARGE, even for a file that exceeds these limits; UNAVAILABLE while too many
 *   files wait
 */
export function partsFileReader(lower = 4): ReadPartsFile {
  const run = ownProcess<FileToRead, CsvLine, PartsFile | { invalid: ImportProblem }>({
    work: 'reads files of parts',
    program: 'file-process',
    caller: import.meta.filename,
    lower,
    // a minute of CPU time may take this long on a busy machine
    longestMs: 600_000,
  })
  let waiting = 0
  return async (file) => {
    if (waiting > 0 && waiting + file.bytes.length > maxWaiting)
      throw new AppError(
        'UNAVAILABLE',
        'The shop is busy reading other files. Try again.',
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
