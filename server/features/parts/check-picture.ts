import { inArray } from 'drizzle-orm'
import type { Transaction } from '#server/database/client.ts'
import { pictures } from '#server/database/schema/parts.ts'
import { AppError } from '#server/errors.ts'
import { shownOf } from './admin-store.ts'

export const pictureGone = 'This picture is not here any more. Upload it again.'

/**
 * Those of the pictures that this shop keeps. Uploaded ones are not removed until the transaction ends; one that a part
 * shows never is.
 */
export async function storedOf(tx: Transaction, images: string[]): Promise<Set<string>> {
  const uploaded = await tx
    .select({ url: pictures.url })
    .from(pictures)
    .where(inArray(pictures.url, images))
    .orderBy(pictures.url)
    .for('key share')
  return new Set([...uploaded.map(({ url }) => url), ...(await shownOf(tx, images))])
}

/** @throws AppError INVALID when the picture is not kept by this shop */
export async function checkPicture(tx: Transaction, image: string): Promise<void> {
  if ((await storedOf(tx, [image])).has(image)) return
  throw new AppError('INVALID', pictureGone, { image: pictureGone })
}
