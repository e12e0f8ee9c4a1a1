import { ownProcess } from '#server/own-process.ts'
import type { EncodedLogo, EncodedPicture, PictureEncoder } from './port.ts'

export type EncodingTask = { as: 'picture' | 'photo' | 'logo'; upload: Uint8Array }

/**
 * Encodes in a separate process, one picture at a time.
 * @param lower its priority below ours: at 10, it gets a tenth of a contested processor
 */
export function pictureEncoder(lower = 10): PictureEncoder {
  const run = ownProcess<EncodingTask, never, EncodedPicture | Uint8Array | EncodedLogo>({
    work: 'encodes pictures',
    program: 'encoder-process',
    caller: import.meta.filename,
    lower,
    // far more than a picture takes on a busy machine, and less than the lease of a queued picture
    longestMs: 120_000,
  })
  return {
    encodePicture: async (upload) =>
      (await run({ as: 'picture', upload })).result as EncodedPicture,
    encodePhoto: async (upload) => (await run({ as: 'photo', upload })).result as Uint8Array,
    encodeLogo: async (upload) => (await run({ as: 'logo', upload })).result as EncodedLogo,
  }
}
