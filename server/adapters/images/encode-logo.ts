import sharp from 'sharp'
import { type LogoFile, logoFileNames, logoFiles } from '#contracts/logo.ts'
import { decode } from './encode.ts'
import type { EncodedLogo } from './port.ts'

/** The colour of the shop's paper, for devices that show no transparency. */
const ground = '#f5f2ec'
/**
 * The width of the picture in a file. Devices show at least a circle of four fifths of `maskable`,
 * which a square of this width fits into.
 */
const shareOf: Partial<Record<LogoFile, number>> = { apple: 0.8, maskable: 0.56 }

/** Encodes a square PNG for each use, from the pixels alone. */
export async function encodeLogo(upload: Uint8Array): Promise<EncodedLogo> {
  const { data, info } = await decode(upload)
  const { width, height, channels } = info
  return Promise.all(
    logoFileNames.map(async (file) => {
      const size = logoFiles[file]
      const share = shareOf[file]
      const inner = Math.round(size * (share ?? 1))
      const before = Math.floor((size - inner) / 2)
      const after = size - inner - before
      const background = share ? ground : { r: 0, g: 0, b: 0, alpha: 0 }
      const decoded = sharp(data, { raw: { width, height, channels } })
      const picture = share ? decoded.flatten({ background }) : decoded.ensureAlpha()
      const bytes = await picture
        .resize({ width: inner, height: inner, fit: 'contain', background })
        .extend({ top: before, bottom: after, left: before, right: after, background })
        .png({ compressionLevel: 9 })
        .toBuffer()
      return { file, bytes }
    }),
  )
}
