import type { Queryable } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import type { Images } from '#server/ports/images/port.ts'
import { isShown } from './owned-store.ts'

/** @throws AppError INVALID when the picture is not kept by this shop */
export async function checkPicture(db: Queryable, images: Images, image: string): Promise<void> {
  if (await isShown(db, image)) return
  if (await images.read(image.slice(image.lastIndexOf('/') + 1))) return
  const why = 'This picture is not here any more. Upload it again.'
  throw new AppError('INVALID', why, { image: why })
}
