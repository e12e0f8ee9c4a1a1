import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { altOf } from '#contracts/catalogue.ts'
import type { HomePart } from '#contracts/part-lists.ts'
import type { Picture as Facts } from '#contracts/pictures.ts'
import { Picture } from '#web/components/picture.tsx'
import { useMoney } from '#web/lib/use-money.ts'

type SlideImageProps = { part: HomePart; priority?: boolean; children?: ReactNode }

/** A slide's part with its current figures; `children` is drawn around it. */
export function SlideImage({ part, priority = false, children }: SlideImageProps) {
  const money = useMoney()
  return (
    <Link to={`/purchase/${part._id}`} className="stage group">
      <span className="stage-light">
        {children}
        <Picture
          src={part.image}
          facts={part.picture}
          alt={altOf(part)}
          sizes="(width >= 64rem) 560px, 90vw"
          priority={priority}
        />
      </span>
      <span className="stage-figures">
        <span className="text-on-graphite group-hover:text-on-graphite-copper">{part.name}</span>
        <span>{money(part.price)}</span>
        <span>{part.availableQuantity} in stock</span>
      </span>
    </Link>
  )
}

/** The picture of an owner's own slide, which its text describes. */
export function SlidePicture(props: { image: string; facts: Facts | null; priority: boolean }) {
  const { image, facts, priority } = props
  return (
    <span className="stage">
      <span className="stage-light">
        <Picture
          src={image}
          facts={facts}
          alt=""
          sizes="(width >= 64rem) 560px, 90vw"
          priority={priority}
        />
      </span>
    </span>
  )
}

type SlideTextProps = { eyebrow?: string; title: ReactNode; first?: boolean; children: ReactNode }

/** A slide's text. The first slide's title is the title of the page. */
export function SlideText({ eyebrow, title, first = false, children }: SlideTextProps) {
  const Heading = first ? 'h1' : 'h2'
  return (
    <div className="relative self-center">
      {eyebrow && <p className="font-mono text-sm text-on-graphite-copper">{eyebrow}</p>}
      <Heading className="slide-title">{title}</Heading>
      {children}
    </div>
  )
}
