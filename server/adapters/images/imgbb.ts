/**
 * Pictures at imgbb.com, whose only call is the upload. It can neither list nor delete. So the list
 * is a table of the shop, and a person has to delete the pictures there that the shop removes.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { pictureAddress, pictureIdOf, readPictureName } from '#contracts/catalogue.ts'
import type { EncodedFile, Images, Leftover, ListDatabase } from './port.ts'
import {
  type Answer,
  type Ask,
  asking,
  picturesOf,
  refusal,
  remoteReader,
  StoreFailure,
} from './remote.ts'

export type ImgbbOptions = {
  /** The URL of the upload call. */
  api: string
  key: string
  /** Per response; each request is tried up to three times. */
  timeoutMs: number
}

const Uploaded = z.object({
  success: z.literal(true),
  data: z.object({ url: z.url(), delete_url: z.url() }),
})
const Refused = z.object({ error: z.object({ message: z.string() }) })
type Hosted = { name: string; url: string; deleteUrl: string }

function json({ body }: Answer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

const imagesHost = /^(?:[a-z0-9-]+\.)?ibb\.co$/

/** The failure in a response; imgbb returns 400 for everything, even for an unknown key. */
function failureOf(answer: Answer, key: string, where: string): StoreFailure {
  const { status } = answer
  const said = Refused.safeParse(json(answer)).data?.error.message ?? ''
  const why = said.slice(0, 200).replaceAll(key, '…')
  const isKeyRefused = status === 401 || status === 403 || /\bkey\b/i.test(why)
  return new StoreFailure(`${where} answers ${status} ${why}`.trim(), status, { isKeyRefused })
}

/** Uploads files. @throws StoreFailure, without the key */
function uploader({ api, key, timeoutMs }: ImgbbOptions, where: string) {
  const ask = asking(where, timeoutMs)
  const { protocol, host } = new URL(api)
  const isItsOwn = (address: string) => {
    const url = new URL(address)
    return url.protocol === protocol && (url.host === host || imagesHost.test(url.host))
  }
  return async (name: string, { format, bytes }: EncodedFile): Promise<Hosted> => {
    const answer = await ask(() => {
      const form = new FormData()
      form.append('image', new Blob([new Uint8Array(bytes)], { type: `image/${format}` }), name)
      form.append('name', name.slice(0, name.indexOf('.')))
      const url = `${api}?${new URLSearchParams({ key })}`
      return new Request(url, { method: 'POST', body: form })
    })
    const { data } = Uploaded.safeParse(json(answer))
    if (answer.status === 200 && data) {
      const { url, delete_url: deleteUrl } = data.data
      if (isItsOwn(url) && isItsOwn(deleteUrl)) return { name, url, deleteUrl }
      throw new StoreFailure(`${where} answers with addresses that are not its own`, null)
    }
    throw failureOf(answer, key, where)
  }
}

/** The list, in the table hosted_pictures. */
function listIn(db: ListDatabase) {
  const insert = (files: Hosted[], isRemoved: boolean) =>
    db.query(
      `insert into hosted_pictures (url, name, delete_url, removed_at)
       select f->>'url', f->>'name', f->>'deleteUrl', case when $2::boolean then now() end
       from jsonb_array_elements($1::jsonb) f on conflict do nothing`,
      [JSON.stringify(files), isRemoved],
    )
  return {
    insert,
    async replace(files: Hosted[]) {
      await insert(files, false)
      await db.query(
        `update hosted_pictures set removed_at = now()
         where name = any($1) and url <> all($2) and removed_at is null`,
        [files.map(({ name }) => name), files.map(({ url }) => url)],
      )
    },
    async find(name: string) {
      const { rows } = await db.query(
        'select url from hosted_pictures where name = $1 and removed_at is null',
        [name],
      )
      return rows[0] && String(rows[0].url)
    },
    async all(): Promise<{ name: string; changedAt: Date }[]> {
      const { rows } = await db.query(
        'select name, created_at from hosted_pictures where removed_at is null',
      )
      return rows.map((row) => ({ name: String(row.name), changedAt: row.created_at as Date }))
    },
    remove: (id: string) =>
      db.query(
        `update hosted_pictures set removed_at = now()
         where name like $1 || '-%' and removed_at is null`,
        [id],
      ),
    async removed(limit: number): Promise<Hosted[]> {
      const { rows } = await db.query(
        `select url, name, delete_url from hosted_pictures
         where removed_at is not null order by removed_at, name limit $1`,
        [limit],
      )
      const text = (value: unknown) => String(value)
      return rows.map((row) => ({
        url: text(row.url),
        name: text(row.name),
        deleteUrl: text(row.delete_url),
      }))
    },
    forget: (urls: string[]) => db.query('delete from hosted_pictures where url = any($1)', [urls]),
  }
}

type HostedList = ReturnType<typeof listIn>

/** How many removed files to check at a time. */
const lookedFor = 24

/**
 * Checks whether removed files are gone, and drops those from the list. @returns the others, by
 * their picture
 */
async function findLeftovers(list: HostedList, ask: Ask): Promise<Leftover[]> {
  const removed = await list.removed(lookedFor)
  const isGone = async ({ url }: Hosted) => {
    const answer = await ask(() => new Request(url, { method: 'HEAD' }), 1).catch(() => null)
    return answer?.status === 404
  }
  const gone = await Promise.all(removed.map(isGone))
  await list.forget(removed.flatMap(({ url }, i) => (gone[i] ? [url] : [])))
  const byPicture = Map.groupBy(
    removed.filter((_, i) => !gone[i]),
    ({ name }) => pictureAddress(readPictureName(name)?.id ?? ''),
  )
  return [...byPicture].map(([url, files]) => ({
    url,
    deleteUrls: files.map(({ deleteUrl }) => deleteUrl),
  }))
}

export function imgbbImages(options: ImgbbOptions, db: ListDatabase): Images {
  const where = new URL(options.api).origin
  const upload = uploader(options, where)
  const ask = asking(where, options.timeoutMs)
  const list = listIn(db)
  /** Records an uploaded picture that is not needed. */
  const discard = async (files: Hosted[], cause: unknown) => {
    await list.insert(files, true).catch(() => {
      const addresses = files.map(({ deleteUrl }) => deleteUrl).join(' ')
      throw new Error(`${where} keeps files that nothing names, delete them there: ${addresses}`, {
        cause,
      })
    })
  }
  return {
    name: 'imgbb',
    where,
    marker: null,
    async save(files, id = randomBytes(12).toString('hex')) {
      const uploads = files.map((file) => upload(`${id}-${file.width}.${file.format}`, file))
      const results = await Promise.allSettled(uploads)
      const hosted = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const failed = results.find((one) => one.status === 'rejected')
      if (failed) {
        await discard(hosted, failed.reason)
        throw refusal(failed.reason, 'Nothing was saved.')
      }
      await list.replace(hosted).catch(async (error) => {
        await discard(hosted, error)
        throw error
      })
      return pictureAddress(id)
    },
    read: remoteReader(where, async (name) => {
      const url = await list.find(name)
      const answer = url && (await ask(() => new Request(url), 2))
      if (!answer || answer.status === 404) return null
      if (answer.status === 200) return answer.body
      throw new StoreFailure(`${where} answers ${answer.status} for a picture`, answer.status)
    }),
    async verify() {
      try {
        // without a picture: imgbb complains about that only with a known key, and nothing is
        // uploaded
        const url = `${options.api}?${new URLSearchParams({ key: options.key })}`
        const answer = await ask(() => new Request(url, { method: 'POST', body: new FormData() }))
        const failure = failureOf(answer, options.key, where)
        if (failure.isKeyRefused || !failure.isLasting) throw failure
      } catch (error) {
        throw refusal(error, '')
      }
    },
    list: async () => picturesOf(await list.all()),
    async remove(url) {
      const id = pictureIdOf(url)
      if (id) await list.remove(id)
    },
    leftovers: () => findLeftovers(list, ask),
  }
}
