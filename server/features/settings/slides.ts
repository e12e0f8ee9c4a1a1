import { and, asc, eq, sql } from 'drizzle-orm'
import { type SlideEdit, type StoredSlide, slidePlaces } from '#contracts/slides.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { homeSlides } from '#server/database/schema/texts.ts'
import { AppError } from '#server/errors.ts'
import { isUploaded, pictureGone } from '#server/features/pictures/pictures.ts'
import { savedMeanwhile } from './saved-meanwhile.ts'

const empty = { version: 0, title: '', text: '', linkText: '', link: '', image: '' }

/** Lists the places of the home page's slides, each with the owner's own as it is stored. */
export async function listSlides(db: Queryable): Promise<StoredSlide[]> {
  const rows = await db.select().from(homeSlides).orderBy(asc(homeSlides.place))
  return slidePlaces.map((place) => {
    const row = rows.find((each) => each.place === place)
    if (!row) return { place, ...empty }
    const { savedAt: _, image, ...slide } = row
    return { ...slide, image: image ?? '' }
  })
}

/**
 * Saves the slide of a place, and logs that it changed.
 * @returns how many slides have changed: one
 * @throws AppError OUTDATED when another admin saved since `version` was read, INVALID for a picture
 *   that is gone
 */
export function saveSlide(
  db: Database,
  caller: Caller,
  place: number,
  { version, image, ...words }: SlideEdit,
): Promise<number> {
  return db.transaction(async (tx) => {
    if (image && !(await isUploaded(tx, image)))
      throw new AppError('INVALID', pictureGone, { image: pictureGone })
    const slide = { ...words, image: image || null }
    const { rowCount } =
      version === 0
        ? await tx
            .insert(homeSlides)
            .values({ place, ...slide })
            .onConflictDoNothing()
        : await tx
            .update(homeSlides)
            .set({ ...slide, version: version + 1, savedAt: sql`now()` })
            .where(and(eq(homeSlides.place, place), eq(homeSlides.version, version)))
    if (rowCount === 0) throw savedMeanwhile('Another admin saved this slide in the meantime')
    const detail = { slide: place, title: words.title }
    const action = { actor: caller, userId: caller._id, action: 'slide changed', detail } as const
    await logActions(tx, [action])
    return 1
  })
}
