import { useState } from 'react'
import {
  drawnAddress,
  type PictureFormat,
  pictureAddress,
  pictureIdOf,
  pictureWidths,
  shownWidth,
} from '#contracts/catalogue.ts'
import type { Picture as Facts } from '#contracts/pictures.ts'

type PictureProps = {
  src: string
  /**
   * The facts about an uploaded picture; null for the shop's own drawings and for unknown pictures.
   */
  facts?: Facts | null
  alt: string
  /** The layout width of the picture, as in the `sizes` attribute. */
  sizes: string
  /** For the picture visible first: it is loaded at once and before others. */
  priority?: boolean
  className?: string
}

const drawnWidths = pictureWidths.slice(0, 2)

/**
 * All files of one format with their real widths: for a small original they all have the same size.
 */
function srcSetOf(id: string, format: PictureFormat, widest?: number): string {
  const widths = widest ? pictureWidths : drawnWidths
  const useful = widths.filter((_, i) => i === 0 || (widths[i - 1] ?? 0) < (widest ?? shownWidth))
  return useful
    .map((width) => `${pictureAddress(id, width, format)} ${Math.min(width, widest ?? width)}w`)
    .join(', ')
}

/**
 * A product picture on a 4:3 plate. While it loads, its placeholder is shown, but only in client
 * renderings: server-rendered HTML may not contain inline styles. A drawing is shown as it is. A
 * broken picture is replaced by its name.
 */
export function Picture({
  src,
  facts,
  alt,
  sizes,
  priority = false,
  className = '',
}: PictureProps) {
  const [broken, setBroken] = useState<string>()
  const [loadedSrc, setLoadedSrc] = useState<string>()
  const id = pictureIdOf(src)
  const drawn = id && drawnAddress(id)
  const isScaled = id && !drawn
  if (broken === src) {
    return (
      <span
        {...(alt && { role: 'img', 'aria-label': alt })}
        className={`picture-broken ${className}`}
      >
        No picture
      </span>
    )
  }
  const placeholder = loadedSrc === src ? undefined : facts?.placeholder
  const image = (
    <img
      src={drawn ?? src}
      srcSet={isScaled ? srcSetOf(id, 'webp', facts?.width) : undefined}
      sizes={isScaled ? sizes : undefined}
      alt={alt}
      width={facts?.width ?? 960}
      height={facts?.height ?? 720}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : undefined}
      decoding="async"
      onLoad={facts?.placeholder ? () => setLoadedSrc(src) : undefined}
      onError={() => setBroken(src)}
      className={`picture ${className}`}
      style={placeholder ? { backgroundImage: `url("${placeholder}")` } : undefined}
    />
  )
  if (!id || !facts) return image
  return (
    <picture>
      <source type="image/avif" srcSet={srcSetOf(id, 'avif', facts.width)} sizes={sizes} />
      {image}
    </picture>
  )
}
