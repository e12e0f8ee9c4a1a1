/** Bulk upload of pictures: matching files to parts, and the queue of pictures. */
import { z } from 'zod'
import { Id } from './api.ts'

export const pictureQueueLimits = {
  /** File names per request, and pictures per selection. */
  names: 2_000,
  /** The total size of all waiting files. Uploads beyond it are refused until the queue shrinks. */
  bytes: 1024 * 1024 * 1024,
  /** Failures that a status shows. */
  shown: 200,
} as const

export const pictureQueueMessages = {
  full: 'Too many pictures are waiting. Try again once those are added.',
} as const

const name = z
  .string()
  .min(1, 'must not be empty')
  .max(500, 'must be 500 characters or shorter')
  .regex(/^\P{Cc}*$/u, 'cannot contain control characters')

/** POST /picture-queue/match: names of files; in a ZIP, with their folder. */
export const PictureNames = z
  .strictObject({
    names: z
      .array(name)
      .max(pictureQueueLimits.names, `must be ${pictureQueueLimits.names} names or fewer`),
  })
  .meta({ examples: [{ names: ['FAN-140.jpg', 'FAN-140-2.jpg', '4006381333931.png'] }] })

export const matchedBy = ['sku', 'gtin', 'mpn', 'number', 'name'] as const

/** One result per name, in the order of the names. */
export const PictureMatches = z.array(
  z
    .strictObject({
      by: z.enum(matchedBy).nullable(),
      place: z.int().min(0).max(99),
      parts: z.array(z.strictObject({ _id: Id, name: z.string() })),
    })
    .describe(
      'The parts that a name may mean, none or several: by SKU, EAN, manufacturer’s number, our number, or name. `place` is what its end says: 2 for `FAN-140-2.jpg`.',
    ),
)
export type PictureMatches = z.infer<typeof PictureMatches>

/** POST /picture-queue */
export const QueuedFile = z.object({
  partId: Id,
  name,
  place: z.coerce.number().int().min(0).max(99).default(0),
})
export type QueuedFile = z.infer<typeof QueuedFile>

/** `there`: the part shows this picture already. */
export const FileQueued = z.strictObject({ state: z.enum(['queued', 'there']) })
export type FileQueued = z.infer<typeof FileQueued>

const Failure = z.strictObject({
  _id: Id,
  partId: Id,
  partName: z.string(),
  name: z.string().describe('Of the file, or the address.'),
  reason: z.string(),
  at: z.iso.datetime(),
  canRetry: z.boolean(),
})
export type PictureFailure = z.infer<typeof Failure>

/** GET /picture-queue */
export const PictureQueue = z
  .strictObject({
    waiting: z.int().min(0),
    added: z.int().min(0),
    failed: z.int().min(0),
    failures: z.array(Failure),
  })
  .describe(
    `Pictures on their way to parts. \`added\` are those of the last day; \`failures\` the last ${pictureQueueLimits.shown} that were given up.`,
  )
export type PictureQueue = z.infer<typeof PictureQueue>
