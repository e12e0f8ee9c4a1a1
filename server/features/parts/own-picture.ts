import { eq } from 'drizzle-orm'
import type { Transaction } from '#server/database/client.ts'
import { pictures } from '#server/database/picture-schema.ts'
import { AppError } from '#server/errors.ts'
import { isShown } from './owned-store.ts'

/**
 * Keeps an uploaded picture from being removed until the transaction ends; one that a part shows never is.
 * @throws AppError INVALID when the picture is not kept by this shop
 */
export async function checkPicture(tx: Transaction, image: string): Promise<void> {
  const kept = await tx
    .select({ url: pictures.url })
    .from(pictures)
    .where(eq(pictures.url, image))
    .for('key share')
  if (kept.length > 0 || (await isShown(tx, image))) return
  const why = 'This picture is not here any more. Upload it again.'
  throw new AppError('INVALID', why, { image: why })
}
