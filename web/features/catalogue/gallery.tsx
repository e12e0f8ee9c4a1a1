import '#web/styles/gallery.css'
import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { pictureAddress, pictureIdOf, pictureWidths } from '#contracts/catalogue.ts'
import { Icon } from '#web/components/icon.tsx'
import { Picture } from '#web/components/picture.tsx'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import type { PagePicture } from './part-facts.ts'

const widest = pictureWidths.at(-1)

/** The URL of a picture's largest file, to which it links without scripts. */
function largest({ image, picture }: PagePicture): string {
  const id = pictureIdOf(image)
  return id ? pictureAddress(id, picture ? widest : undefined) : image
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

const loadZoom = withTimeout(() => import('./gallery-zoom.tsx'))

type Props = { name: string; pictures: PagePicture[] }

/**
 * A part's pictures side by side; the visitor swipes them or chooses a thumbnail. Without scripts
 * the thumbnails are anchors, and each picture links to its largest file; scripts open that in a
 * dialog.
 */
export function Gallery({ name, pictures }: Props) {
  const track = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const [zoom, setZoom] = useState<ReactNode>(null)

  const follow = () => {
    const { scrollLeft = 0, clientWidth = 1 } = track.current ?? {}
    setCurrent(Math.round(scrollLeft / clientWidth))
  }
  const show = (event: MouseEvent, index: number) => {
    if (!isPlain(event)) return
    event.preventDefault()
    track.current?.scrollTo({ left: index * track.current.clientWidth, behavior: 'instant' })
  }
  async function open(event: MouseEvent<HTMLAnchorElement>, index: number) {
    if (!isPlain(event)) return
    event.preventDefault()
    const { href } = event.currentTarget
    try {
      const { GalleryZoom } = await loadZoom()
      const close = () => setZoom(null)
      setZoom(<GalleryZoom name={name} pictures={pictures} first={index} onClose={close} />)
    } catch {
      location.assign(href)
    }
  }

  const count = pictures.length
  const numbered = (index: number) => `Picture ${index + 1} of ${count}`
  return (
    <div className="gallery">
      <ul ref={track} className="gallery-track card" onScroll={follow}>
        {pictures.map((one, i) => (
          <li key={one.image} id={`picture-${i + 1}`}>
            <a
              href={largest(one)}
              className="gallery-picture"
              onPointerEnter={() => void loadZoom().catch(() => {})}
              onClick={(event) => void open(event, i)}
            >
              <Picture
                src={one.image}
                facts={one.picture}
                alt={one.alt}
                sizes="(min-width: 1024px) 640px, 92vw"
                priority={i === 0}
              />
              <span className="gallery-sign">
                <Icon of="search" />
                <span className="sr-only">Zoom</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {count > 1 && (
        <ul className="gallery-thumbs" aria-label={`Pictures of ${name}`}>
          {pictures.map((one, i) => (
            <li key={one.image}>
              <a
                href={`#picture-${i + 1}`}
                aria-current={i === current ? 'true' : undefined}
                onClick={(event) => show(event, i)}
              >
                <Picture src={one.image} facts={one.picture} alt="" sizes="80px" />
                <span className="sr-only">{`${numbered(i)}: ${one.alt}`}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {current > 0 && numbered(current)}
      </p>
      {zoom}
    </div>
  )
}
