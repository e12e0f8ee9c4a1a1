import { useState } from 'react'

type PictureProps = {
  src: string
  alt: string
  /** How wide the picture is laid out, as in the `sizes` attribute. */
  sizes: string
  /** For what is seen first: loaded at once and before others. */
  priority?: boolean
  className?: string
}

const ours = /^(\/images\/[0-9a-f]{24})-960\.webp$/

/** A product picture of 4:3, 960 by 720; our own ones have a half-size sibling. A broken one leaves its name. */
export function Picture({ src, alt, sizes, priority = false, className = '' }: PictureProps) {
  const [broken, setBroken] = useState<string>()
  const base = ours.exec(src)?.[1]
  if (broken === src) {
    return (
      <span role="img" aria-label={alt} className={`picture-broken ${className}`}>
        No picture
      </span>
    )
  }
  return (
    <img
      src={src}
      srcSet={base && `${base}-480.webp 480w, ${base}-960.webp 960w`}
      sizes={base && sizes}
      alt={alt}
      width={960}
      height={720}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : undefined}
      decoding="async"
      onError={() => setBroken(src)}
      className={`picture ${className}`}
    />
  )
}
