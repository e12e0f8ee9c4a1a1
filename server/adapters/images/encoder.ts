import { ownProcess } from '#server/own-process.ts'
import type { EncodedPicture, EncodePicture } from './port.ts'

/**
 * Encodes in a process of its own, one picture at a time.
 * @param lower its priority below ours: by 10 it gets a tenth of a processor that both want
 */
export function pictureEncoder(lower = 10): EncodePicture {
  const run = ownProcess<Uint8Array, never, EncodedPicture>({
    work: 'encodes pictures',
    program: 'encoder-process',
    caller: import.meta.filename,
    lower,
    // far more than a picture takes on a busy machine, and less than the lease of one in the queue
    longestMs: 120_000,
  })
  return async (upload) => (await run(upload)).result
}
