/**
 * The process that encodes pictures for the shop, one at a time. Each task is an upload, each
 * result its picture, or its files as a logo.
 */
import sharp from 'sharp'
import { answerTasks } from '#server/own-process.ts'
import { encodePhoto, encodePicture } from './encode.ts'
import { encodeLogo } from './encode-logo.ts'
import type { EncodingTask } from './encoder.ts'

// no picture is read twice, so the library's cache would only use memory
sharp.cache(false)
// one thread per picture: the other cores are for bookings
sharp.concurrency(1)
// only these decoders of the library are enabled, so that uploads cannot attack the others
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'],
})

const encode = { picture: encodePicture, photo: encodePhoto, logo: encodeLogo }

answerTasks(async ({ as, upload }: EncodingTask) => ({
  rows: [],
  result: await encode[as](upload),
}))
