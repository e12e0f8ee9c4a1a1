/** The process that encodes pictures for the shop, one at a time: each task is an upload, each result its picture. */
import sharp from 'sharp'
import { answerTasks } from '#server/own-process.ts'
import { encodePicture } from './encode.ts'

// no picture is read twice, so the library's cache would only cost memory
sharp.cache(false)
// one thread for a picture: the other cores are for bookings
sharp.concurrency(1)
// only these decoders of the library are loaded: uploads cannot attack the others
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'],
})

answerTasks(async (upload: Uint8Array) => ({ rows: [], result: await encodePicture(upload) }))
