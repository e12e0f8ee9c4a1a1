/** HTTP to a remote picture store, which may be slow, fail, be full, or return wrong content. */
import { setTimeout as pause } from 'node:timers/promises'
import { type PictureFormat, pictureAddress, readPictureName } from '#contracts/catalogue.ts'
import { AppError, KeyRefused } from '#server/errors.ts'
import type { Images, StoredImage, StoredPicture } from './port.ts'

/** More bytes than any file of a picture has. */
const maxBytes = 32 * 1024 * 1024
const pauseMs = 200
/** Concurrent reads; while a store hangs, further visitors get an immediate response. */
const maxReads = 64

/** The store's refusal or failure, for the log and the owner; it contains no key. */
export class StoreFailure extends Error {
  /** Null when there was no response. */
  readonly status: number | null
  readonly isFull: boolean
  /** Whether it refuses the shop's keys. */
  readonly isKeyRefused: boolean
  constructor(
    message: string,
    status: number | null,
    { isFull = false, isKeyRefused = false, cause = undefined as unknown } = {},
  ) {
    super(message, { cause })
    this.status = status
    this.isFull = isFull
    this.isKeyRefused = isKeyRefused
  }
  /** Whether the failure lasts until a setting is changed. */
  get isLasting(): boolean {
    return this.status !== null && this.status < 500 && ![408, 425, 429].includes(this.status)
  }
}

/** The pictures of these files; skips files that belong to none. */
export function picturesOf(files: readonly { name: string; changedAt: Date }[]): StoredImage[] {
  const stored = new Map<string, StoredImage>()
  for (const { name, changedAt } of files) {
    const id = readPictureName(name)?.id
    if (!id) continue
    const picture = stored.get(id) ?? { url: pictureAddress(id), files: [], changedAt }
    picture.files.push(name.slice(id.length + 1))
    stored.set(id, picture)
  }
  return [...stored.values()]
}

/** The refusal that users read. @param what was not done */
export function refusal(error: unknown, what: string): unknown {
  if (!(error instanceof StoreFailure)) return error
  const unreachable = `The pictures cannot be reached. ${what} Try again later.`
  if (error.isKeyRefused) return new KeyRefused('pictures', unreachable, error.message)
  const appError = error.isFull
    ? new AppError('STORAGE_LOW', `The store of the pictures is full. ${what}`)
    : new AppError('UNAVAILABLE', unreachable)
  return Object.assign(appError, { cause: error })
}

export type Answer = { status: number; headers: Headers; body: Buffer }

async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`its answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function describe(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  const { cause } = error
  return cause instanceof Error
    ? cause.message || ('code' in cause ? String(cause.code) : '')
    : error.message
}

export type Ask = (request: () => Promise<Request> | Request, tries?: number) => Promise<Answer>

/**
 * Retries when there is no response or the store fails with a 5xx. Does not follow redirects, which
 * would send the request elsewhere.
 * @returns any response below 500 @throws StoreFailure
 */
export function asking(where: string, timeoutMs: number): Ask {
  const once = async (request: Request): Promise<Answer> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(request, { signal, redirect: 'manual' })
      const { status, headers } = response
      return { status, headers, body: await readBody(response) }
    } catch (error) {
      throw new StoreFailure(`${where} cannot be reached: ${describe(error, timeoutMs)}`, null, {
        cause: error,
      })
    }
  }
  const isWorthAsking = (status: number) => status === 429 || (status >= 500 && status !== 507)
  return async (request, tries = 3) => {
    for (let turn = 1; ; turn += 1) {
      const answer = await once(await request()).catch((error) => {
        if (turn >= tries) throw error
        return null
      })
      if (answer && (turn >= tries || !isWorthAsking(answer.status))) return answer
      await pause(pauseMs * 2 ** turn * (0.5 + Math.random() / 2))
    }
  }
}

const beginnings: Record<PictureFormat, RegExp> = {
  webp: /^RIFF.{4}WEBP/s,
  avif: /^.{4}ftyp/s,
}

/**
 * Reads pictures for visitors: one request per name at a time, and only actual pictures, because
 * browsers cache them for a year.
 * @param fetchFile null when there is none
 */
export function remoteReader(
  where: string,
  fetchFile: (name: string) => Promise<Buffer | null>,
): Images['read'] {
  const reading = new Map<string, Promise<StoredPicture | null>>()
  const read = async (name: string, format: PictureFormat) => {
    try {
      const bytes = await fetchFile(name)
      if (bytes && !beginnings[format].test(bytes.subarray(0, 12).toString('latin1'))) {
        throw new StoreFailure(`${where} answers ${name} with what is no picture`, null)
      }
      return bytes && { bytes, contentType: `image/${format}` }
    } catch (error) {
      throw refusal(error, 'The picture is not lost.')
    }
  }
  return async (name) => {
    const picture = readPictureName(name)
    if (!picture) return null
    const running = reading.get(name)
    if (running) return running
    if (reading.size >= maxReads) {
      throw refusal(
        new StoreFailure(`${where} is slow: ${maxReads} reads wait`, null),
        'It is busy.',
      )
    }
    const work = read(name, picture.format).finally(() => reading.delete(name))
    reading.set(name, work)
    return work
  }
}
