import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Part } from '#contracts/parts.ts'
import { Carousel, type Slide } from '#web/components/carousel.tsx'
import { withTimeout } from '#web/lib/load-script.ts'
import { PromiseSlide } from './first-slide.tsx'
import { HeroArt } from './hero-art.tsx'
import { partsQuery } from './queries.ts'
import { featuredParts } from './stock.ts'

/** Loads the script of what is not seen at first. */
export const loadLaterSlides = withTimeout(() => import('./later-slides.tsx'))
const LaterSlide = lazy(loadLaterSlides)

function slidesFor(parts: Part[], holdMinutes: number): Slide[] {
  const [first, second, third] = featuredParts(parts)
  return [
    {
      id: 'slide1',
      title: 'Parts that stay honest',
      content: <PromiseSlide part={first} holdMinutes={holdMinutes} />,
    },
    {
      id: 'slide2',
      title: 'Book, held, paid',
      content: (
        <Suspense>
          <LaterSlide which="held" part={second} holdMinutes={holdMinutes} />
        </Suspense>
      ),
    },
    {
      id: 'slide3',
      title: 'All of it on the card',
      content: (
        <Suspense>
          <LaterSlide which="figures" part={third} holdMinutes={holdMinutes} />
        </Suspense>
      ),
    },
  ]
}

/** The graphite panel at the top: three slides with a part each. */
export function Banner({ initial, holdMinutes }: { initial?: Part[]; holdMinutes: number }) {
  const { data = [] } = useQuery({ ...partsQuery, initialData: initial })
  return (
    <div className="column pt-2">
      <Carousel label="What Ferrite is" slides={slidesFor(data, holdMinutes)}>
        <HeroArt />
      </Carousel>
    </div>
  )
}
