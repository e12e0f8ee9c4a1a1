/** The process that encodes pictures for the shop, one at a time: each message is an upload, each answer its picture. */
import sharp from 'sharp'
import type { ErrorCode } from '#contracts/errors.ts'
import { AppError } from '#server/errors.ts'
import { encodePicture } from './encode.ts'
import type { EncodedPicture } from './port.ts'

/** What the process answers to an upload. */
export type EncoderAnswer =
  | { picture: EncodedPicture }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string }

// no picture is read twice, so the library's cache would only cost memory
sharp.cache(false)
// one thread a picture: the other cores are for bookings
sharp.concurrency(1)
// no other reader of the library: uploads can not attack them
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'],
})

async function answerTo(upload: Uint8Array): Promise<EncoderAnswer> {
  try {
    return { picture: await encodePicture(upload) }
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

process.on('message', async (upload: Uint8Array) => process.send?.(await answerTo(upload)))
// the shop ends this process, after what it waits for
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
