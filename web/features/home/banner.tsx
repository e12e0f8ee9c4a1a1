import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { whole } from '#contracts/counted.ts'
import type { HomePart, HomeParts } from '#contracts/part-lists.ts'
import { plural } from '#contracts/plural.ts'
import { holdText } from '#contracts/shop.ts'
import type { OwnSlide as Own } from '#contracts/slides.ts'
import { Carousel, type Slide } from '#web/components/carousel.tsx'
import { Picture } from '#web/components/picture.tsx'
import { homePartsQuery } from '#web/features/catalogue/queries.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useShopName } from '#web/lib/use-shop.ts'
import { SlideImage, SlidePicture, SlideText } from './slide-part.tsx'

/** Circuit traces around the hero: the only ornament, on wide screens only. */
function HeroArt() {
  return (
    <svg
      viewBox="0 0 620 560"
      preserveAspectRatio="xMaxYMid slice"
      className="pointer-events-none absolute inset-y-0 end-0 h-full w-1/2 max-lg:hidden"
      fill="none"
      stroke="#c9793f"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <g opacity="0.45">
        <path d="M40 44h210l36 36h334" />
        <path d="M40 80h164l56 56h360" opacity="0.6" />
        <path d="M620 552H330l-20-20H150" />
        <path d="M540 0v36l36 36v170" opacity="0.6" />
      </g>
      <g fill="#c9793f" stroke="none" opacity="0.75">
        <circle cx="40" cy="44" r="4" />
        <circle cx="40" cy="80" r="4" />
        <circle cx="150" cy="532" r="4" />
        <circle cx="576" cy="242" r="4" />
      </g>
    </svg>
  )
}

/** The first slide, with the shop's promise. */
function PromiseSlide({ part, holdMinutes }: { part?: HomePart; holdMinutes: number }) {
  return (
    <>
      <SlideText
        first
        eyebrow="Held while you pay"
        title={
          <>
            Parts that <br />
            stay honest.
          </>
        }
      >
        <p className="slide-text">
          What we say is in stock is in stock. Book it, and it is yours for at least{' '}
          {holdText(holdMinutes)} while you pay.
        </p>
        <div className="hero-links">
          <Link to="#parts" className="button hero-primary">
            See the parts
          </Link>
          <Link to="/how-booking-works" className="button hero-quiet">
            How booking works
          </Link>
        </div>
      </SlideText>
      {part && <SlideImage part={part} priority />}
    </>
  )
}

/** Loads the slides that are not visible at first. */
export const loadLaterSlides = withTimeout(() => import('./later-slides.tsx'))
const LaterSlide = lazy(loadLaterSlides)

function OwnSlide({ slide, part, first }: { slide: Own; part?: HomePart; first: boolean }) {
  const { title, text, linkText, link, image, picture } = slide
  return (
    <>
      <SlideText first={first} title={title}>
        {text && <p className="slide-text">{text}</p>}
        {link && (
          <div className="hero-links">
            {link.startsWith('https://') ? (
              <a href={link} className="button hero-primary">
                {linkText}
              </a>
            ) : (
              <Link to={link} className="button hero-primary">
                {linkText}
              </Link>
            )}
          </div>
        )}
      </SlideText>
      {image ? (
        <SlidePicture image={image} facts={picture} priority={first} />
      ) : (
        part && <SlideImage part={part} priority={first} />
      )}
    </>
  )
}

/** The shop's own slides, with the owner's in their places. */
function slidesFor({ featured, slides }: Pick<HomeParts, 'featured' | 'slides'>, minutes: number) {
  return shopSlides(featured, minutes).map((shops, i): Slide => {
    const slide = slides[i]
    if (!slide) return shops
    return {
      id: shops.id,
      title: slide.title,
      content: <OwnSlide slide={slide} part={featured[i]} first={i === 0} />,
    }
  })
}

function shopSlides([first, second, third]: HomePart[], holdMinutes: number): Slide[] {
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

const nothing = { featured: [], slides: [] }

/** The categories, as cells below the slides. */
function Categories({ kinds }: Pick<HomeParts, 'kinds'>) {
  return (
    <nav aria-label="Categories">
      <ul className="sheet home-kinds">
        {kinds.map(({ slug, name, drawing, count }) => (
          <li key={slug}>
            <Link to={`/parts/${encodeURIComponent(slug)}`} className="home-kind">
              <Picture src={drawing} alt="" sizes="72px" />
              <span className="kind">{plural(name)}</span>
              <span className="count">{whole(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The graphite panel at the top with three slides of one part each, and the categories below it. */
export function Banner({ initial, holdMinutes }: { initial?: HomeParts; holdMinutes: number }) {
  const name = useShopName()
  const { data } = useQuery({ ...homePartsQuery, initialData: initial })
  const hasKinds = data !== undefined && data.kinds.length > 1
  return (
    <div className={`column pt-2 ${hasKinds ? 'has-kinds' : ''}`}>
      <Carousel label={`What ${name} is`} slides={slidesFor(data ?? nothing, holdMinutes)}>
        <HeroArt />
      </Carousel>
      {hasKinds && <Categories kinds={data.kinds} />}
    </div>
  )
}
