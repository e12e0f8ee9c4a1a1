import { pictureFormats, pictureWidths, shownWidth } from '#contracts/catalogue.ts'
import { counted } from '#contracts/counted.ts'
import { drawingsStart } from '#contracts/drawings.ts'
import type { Issue } from '#contracts/reconciliation.ts'
import type { Images, Leftover, StoredImage } from '#server/adapters/images/port.ts'
import type { Database } from '#server/database/client.ts'

type Deps = { db: Database; images: Images }

/** Younger files may belong to an upload in progress. */
const orphanMs = 86_400_000
const uploadedFiles = pictureWidths.length * pictureFormats.length
const shownFile = `${shownWidth}.webp`
const maxIssues = 100

type Recorded = { url: string; uploaded: boolean; partId: string | null; name: string | null }

/** Reads all pictures that a part, an order or the list of uploads refers to. */
async function readRecorded({ db }: Deps): Promise<Recorded[]> {
  const { rows } = await db.$client.query<Recorded>(
    `select url, bool_or(uploaded) as uploaded, min(part_id::text) as "partId", min(name) as name from (
      select s.image as url, false as uploaded, part_id, p.name from part_pictures s join parts p on p._id = s.part_id
      union all select url, true, null, null from pictures
      union all select image, false, null, null from (select distinct image from orders) o) named
    where url like '/images/%' and url not like '${drawingsStart}%' group by url`,
  )
  return rows
}

const isWhole = ({ uploaded }: Recorded, stored: StoredImage | undefined) =>
  stored?.files.includes(shownFile) && (!uploaded || stored.files.length >= uploadedFiles)

function missing(recorded: Recorded, stored: StoredImage | undefined): Issue {
  const { url, partId, name } = recorded
  const files = stored?.files.filter((file) => !file.endsWith('.part')).length ?? 0
  return {
    type: 'picture',
    about: partId ? `part:${partId}` : `picture:${url}`,
    name: name ?? url,
    orderId: null,
    words: 'Files of the picture are missing.',
    ours: `${url}, ${counted(files, 'file')} left`,
    provider: null,
    ledger: null,
    repair: null,
    advice: partId
      ? 'Upload the picture again at the part, or take the files from a backup.'
      : 'Take the files from a backup.',
  }
}

const orphan = ({ url, files }: StoredImage): Issue => ({
  type: 'picture',
  about: `picture:${url}`,
  name: url,
  orderId: null,
  words: 'Files of a picture that nothing names.',
  ours: `${counted(files.length, 'file')}, no record`,
  provider: null,
  ledger: null,
  repair: 'removeFile',
  advice: null,
})

const leftover = ({ url, deleteUrls }: Leftover, store: string): Issue => ({
  type: 'picture',
  about: `picture:${url}`,
  name: url,
  orderId: null,
  words: `Files of a removed picture are still at ${store}.`,
  ours: `removed, ${counted(deleteUrls.length, 'file')} left there`,
  provider: null,
  ledger: null,
  repair: null,
  advice: `${store} lets only people delete: open ${deleteUrls.join(' ')}`,
})

/** Selects stored pictures that are older than a day and that no row refers to. */
function orphansAmong(stored: StoredImage[], recorded: Set<string>): StoredImage[] {
  const before = Date.now() - orphanMs
  return stored.filter(({ url, changedAt }) => !recorded.has(url) && changedAt.getTime() < before)
}

/** Compares the files of pictures with the rows that refer to them, in both directions. */
export async function comparePictures(deps: Deps) {
  // reads the files first, so that rows added meanwhile are included
  const stored = await deps.images.list()
  const recorded = await readRecorded(deps)
  const files = new Map(stored.map((picture) => [picture.url, picture]))
  const torn = recorded.filter((one) => !isWhole(one, files.get(one.url)))
  const orphans = orphansAmong(stored, new Set(recorded.map(({ url }) => url)))
  const leftovers = (await deps.images.leftovers?.()) ?? []
  const issues = [
    ...torn.slice(0, maxIssues).map((one) => missing(one, files.get(one.url))),
    ...orphans.slice(0, maxIssues).map(orphan),
    ...leftovers.map((one) => leftover(one, deps.images.name)),
  ]
  return { compared: recorded.length, issues }
}

/** Removes a picture's files if still no row refers to them. @returns whether it removed them */
export async function removeOrphanFile(deps: Deps, url: string): Promise<boolean> {
  const stored = (await deps.images.list()).filter((picture) => picture.url === url)
  const recorded = new Set((await readRecorded(deps)).map((one) => one.url))
  if (orphansAmong(stored, recorded).length === 0) return false
  await deps.images.remove(url)
  return true
}
