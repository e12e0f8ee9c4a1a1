import { ownProcess } from '#server/own-process.ts'
import type { EncodedPicture, EncodePicture } from './port.ts'

/**
 * Encodes in a separate process, one picture at a time.
 * @param lower its priority below ours: at 10, it gets a tenth of a contested processor
 */
export function pictureEncoder(lower = 10): EncodePicture {
  const run = ownProcess<Uint8Array, never, EncodedPicture>({
    work: 'encodes pictures',
    program: 'encoder-process',
    caller: import.meta.filename,
    lower,
    // far more than a picture takes on a busy machine, and less than the lease of a queued picture
    longestMs: 120_000,
  })
  return async (upload) => (await run(upload)).result
}
