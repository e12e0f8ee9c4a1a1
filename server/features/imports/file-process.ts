/** The process that reads parts files for the shop. Each task is a file; its rows are the lines. */
import { InvalidCsv } from '#server/http/csv.ts'
import { answerTasks } from '#server/own-process.ts'
import { type FileToRead, type ReadPartsFile, readPartsFile } from './read-parts-file.ts'

/** A typical file of 10,000 lines takes two or three seconds and 200 MB. */
const limits = { cpuSeconds: 60, megabytes: 768 }

answerTasks((file: FileToRead): Awaited<ReturnType<ReadPartsFile>> => {
  try {
    return readPartsFile(file)
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error
    const invalid = { line: error.line, field: '', message: error.message }
    return { rows: [], result: { invalid } }
  }
}, limits)
