import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { isBookable, meanOf } from '#contracts/catalogue.ts'
import { counted, whole } from '#contracts/counted.ts'
import { dayText } from '#contracts/dispatch.ts'
import { fewestUnits, totalPriceOf } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import type { PartOnSale, PartPage, SimilarPart } from '#contracts/part-pages.ts'
import { plural } from '#contracts/plural.ts'
import { holdText } from '#contracts/shop.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { DeliveryOffer } from '#web/components/delivery-offer.tsx'
import { Picture } from '#web/components/picture.tsx'
import { PriceNote } from '#web/components/price-note.tsx'
import { AddToBasket } from '#web/features/basket/add-to-basket.tsx'
import { FitsBuild } from '#web/features/basket/fits-build.tsx'
import { FitsMachine } from '#web/features/machine/fits-machine.tsx'
import { copyText } from '#web/lib/copy-text.ts'
import { timeOfDay, utcTime } from '#web/lib/moments.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { CompareLink } from './compare-link.tsx'
import { Gallery } from './gallery.tsx'
import { picturesOf } from './part-facts.ts'
import { stockNotice } from './why-not-bookable.ts'

type Named = Pick<PartPage, 'kind' | 'kindSlug' | 'name'>

function Crumbs({ kind, kindSlug, name }: Named) {
  return (
    <nav aria-label="Breadcrumb" className="mb-5 text-sm">
      <ol className="flex flex-wrap gap-x-2">
        <li>
          <Link to="/parts" className="link">
            Parts
          </Link>
        </li>
        <li className="flex gap-2">
          <span aria-hidden="true">/</span>
          <Link to={`/parts/${kindSlug}`} className="link kind inline-block">
            {kind}
          </Link>
        </li>
        <li className="flex min-w-0 gap-2">
          <span aria-hidden="true">/</span>
          <span aria-current="page" className="text-dim break-words">
            {name}
          </span>
        </li>
      </ol>
    </nav>
  )
}

const numberLabels = { mpn: 'Manufacturer’s number', sku: 'SKU', gtin: 'EAN' }
const numberFields = ['mpn', 'sku', 'gtin'] as const

/** The numbers printed on the part and its box, each with a copy button. */
function PartNumbers({ part }: { part: PartOnSale }) {
  const statedFields = numberFields.filter((name) => part[name])
  if (statedFields.length === 0) return null
  return (
    <dl className="mt-2 text-sm">
      {statedFields.map((name) => (
        <div key={name} className="flex min-h-11 flex-wrap items-center gap-x-3">
          <dt className="text-dim">{numberLabels[name]}</dt>
          <dd className="wrap-anywhere font-mono">{part[name]}</dd>
          <dd>
            <button
              type="button"
              className="link needs-script min-h-11"
              aria-label={`Copy ${part[name]}`}
              onClick={() => void copyText(part[name], `${part[name]} is copied`)}
            >
              Copy
            </button>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Opens the system's share menu with the page's URL, or copies the URL to the clipboard. */
function Share({ name }: { name: string }) {
  async function share() {
    const url = window.location.origin + window.location.pathname
    if (!navigator.share) return copyText(url, 'The link to this page is copied')
    // closing the menu is not an error
    await navigator.share({ title: name, url }).catch(() => {})
  }
  return (
    <Button variant="quiet" className="needs-script" onClick={() => void share()}>
      Share
    </Button>
  )
}

/** The average rating, always with the number of reviews. */
function RatingLine({ part }: { part: PartOnSale }) {
  const { ratingCount: count } = part
  return (
    <p className="mt-2">
      <a href="#reviews" className="link inline-flex min-h-11 items-center">
        {count === 0
          ? 'No reviews yet'
          : `${meanOf(part)} of 5 stars · ${counted(count, 'review')}`}
      </a>
    </p>
  )
}

/**
 * When the first held units may return. A hold renewed meanwhile ends later, so a past time is not
 * shown.
 */
function HoldsEnd({ at }: { at: string }) {
  const inBrowser = useHydrated()
  if (inBrowser && Date.parse(at) <= Date.now())
    return <>They become available if they are not paid for.</>
  return (
    <>
      The first of these holds ends at{' '}
      <time dateTime={at}>{inBrowser ? timeOfDay(at) : `${utcTime(at)} UTC`}</time>, if it is not
      paid or renewed.
    </>
  )
}

function Availability({ part }: { part: PartOnSale }) {
  const money = useMoney()
  const minimum = fewestUnits(part, useCurrency())
  const { availableQuantity: available, held, nextHoldEndsAt, expected } = part
  const bookable = isBookable(part)
  return (
    <div className="grid gap-1">
      <p className={`font-semibold ${bookable ? 'text-green' : ''}`}>
        {bookable ? `${whole(available)} in stock` : stockNotice(part)}
        {!bookable && expected && `, ${expected.units} expected on ${dayText(expected.on)}`}
      </p>
      {!bookable && available > 0 && (
        <p>
          {available} left, and the minimum order is {minimum}.
        </p>
      )}
      {minimum > 1 && (
        <p>
          Minimum {minimum}: {minimum} for {money(totalPriceOf(minimum, part.price))}
        </p>
      )}
      {held > 0 && (
        <p className="text-dim text-sm">
          {held} {bookable ? 'more ' : ''}held for customers who are paying, or waited for them.{' '}
          {nextHoldEndsAt && <HoldsEnd at={nextHoldEndsAt} />}
        </p>
      )}
    </div>
  )
}

type PartScreenProps = {
  part: PartOnSale
  /** Replaces the Book button of a part that cannot be booked. */
  wait: ReactNode
  /** The same in a narrow version. */
  waitBar: ReactNode
  reviews: ReactNode
}

function Price({ part }: { part: PartOnSale }) {
  const money = useMoney()
  return (
    <p className="font-bold font-display text-4xl tabular-nums tracking-tight">
      {money(part.price)}
    </p>
  )
}

function BookLink({ part, className }: { part: PartOnSale; className?: string }) {
  if (!isBookable(part)) return null
  return (
    <ButtonLink to={`/purchase/${part._id}`} className={className}>
      Book now
    </ButtonLink>
  )
}

/** The most characters of a description that stands under the name; longer ones get a section. */
const maxLead = 240
const isLead = ({ description }: PartOnSale) =>
  description.length <= maxLead && !description.includes('\n')

/** Lists of what fits this part, ready to choose from. */
function FitsThese({ part }: { part: PartOnSale }) {
  return part.fits?.map(({ slug, name, count }, i) => (
    <Fragment key={slug}>
      {i > 0 && ', '}
      <Link
        to={`/parts/${encodeURIComponent(slug)}?fits=${part.number}&only=fits`}
        rel="nofollow"
        className="link inline-block min-h-6"
      >
        {counted(count, name, plural(name))}
      </Link>
    </Fragment>
  ))
}

/** What a buyer asks before the price is paid: the hold, delivery, the way back, and what it fits. */
function Answers({ part }: { part: PartOnSale }) {
  const { holdMinutes, facts } = useShop()
  const fewest = fewestUnits(part, useCurrency())
  const bookable = isBookable(part)
  return (
    <ul className="answers">
      {bookable && (
        <li>
          <strong>Book now, pay within {holdText(holdMinutes)}</strong>
          <p>It’s held for you meanwhile. If you don’t pay, you owe nothing.</p>
        </li>
      )}
      <li>
        {bookable && <DeliveryOffer lines={[{ part, quantity: fewest }]} />}
        <p>
          <Link to="/delivery" className="link inline-block min-h-6">
            Delivery
          </Link>
          {' · '}
          <Link to="/returns" className="link inline-block min-h-6">
            Return it within {facts.returnDays} days of its arrival
          </Link>
        </p>
      </li>
      {part.fits && part.fits.length > 0 && (
        <li>
          <section aria-labelledby="fits">
            <h2 id="fits" className="font-semibold">
              Fits these
            </h2>
            <FitsThese part={part} />
          </section>
        </li>
      )}
    </ul>
  )
}

function Overview({ part, wait }: Pick<PartScreenProps, 'part' | 'wait'>) {
  return (
    <div className="part-overview">
      <Gallery name={part.name} pictures={picturesOf(part)} />
      <div className="min-w-0">
        <p className="label">
          <span className="kind inline-block">{part.kind}</span>
          {part.brand && ` · by ${part.brand}`}
        </p>
        <h1 className="mt-1 font-bold text-3xl tracking-tight break-words md:text-4xl">
          {part.name}
        </h1>
        <RatingLine part={part} />
        {isLead(part) && <p className="wrap-anywhere mt-1 mb-4">{part.description}</p>}
        <div className="card buy-box">
          <div className="flex flex-wrap items-end justify-between gap-x-4">
            <Price part={part} />
            <Availability part={part} />
          </div>
          <PriceNote className="mt-1" />
          <div className="buy-actions">
            {/* on a phone the bar has these, and would cover whatever is beside them */}
            <BookLink part={part} className="max-lg:hidden" />
            {!isBookable(part) && wait}
            <AddToBasket part={part} className="button button-quiet max-lg:hidden" />
          </div>
          <Answers part={part} />
        </div>
        {part.fits && (
          <>
            <FitsBuild part={part} />
            <FitsMachine part={part} />
          </>
        )}
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <CompareLink number={part.number} kind={part.kind} />
          <Share name={part.name} />
        </div>
        <PartNumbers part={part} />
      </div>
    </div>
  )
}

type SectionProps = { id: string; title: string; children: ReactNode }

export function Section({ id, title, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="part-section">
      <h2 id={`${id}-title`} className="text-2xl font-semibold tracking-tight">
        {title}
      </h2>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

function Specification({ groups }: { groups: PartOnSale['specification'] }) {
  if (groups.length === 0) return null
  // columns start at the same height only if all begin with a heading
  const hasColumns = groups.length > 1
  return (
    <Section id="specification" title="Specification">
      <div className="gap-10 md:columns-2">
        {groups.map(({ group, facts }) => (
          <div key={group} className="mb-6 break-inside-avoid">
            {(group || hasColumns) && <h3 className="mb-2 font-semibold">{group || 'General'}</h3>}
            <dl className="spec">
              {facts.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd className="wrap-anywhere text-right">{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </Section>
  )
}

function SimilarCard({ part }: { part: SimilarPart }) {
  const money = useMoney()
  const facts = part.specs
    .filter(({ text }) => text !== 'no')
    .map(({ label, text }) => (text === 'yes' ? label : text))
  return (
    <li className="similar-part">
      <Picture src={part.image} facts={part.picture} alt="" sizes="120px" />
      <div className="min-w-0">
        <Link
          to={partPath(part)}
          className="part-name inline-flex min-h-9 items-center hover:text-copper"
        >
          {part.name}
        </Link>
        {part.ratingCount > 0 && (
          <p className="label">
            {meanOf(part)} of 5 stars · {part.ratingCount}
          </p>
        )}
        {facts.length > 0 && <p className="text-dim text-sm">{facts.join(', ')}</p>}
        <p className="flex justify-between gap-4">
          <strong className="tabular-nums">{money(part.price)}</strong>
          <span className="text-green text-sm">{`${whole(part.availableQuantity)} in stock`}</span>
        </p>
      </div>
    </li>
  )
}

function Similar({
  id = 'similar',
  title,
  parts,
}: {
  id?: string
  title: string
  parts: SimilarPart[]
}) {
  if (parts.length === 0) return null
  return (
    <Section id={id} title={title}>
      <ul className="sheet similar-parts">
        {parts.map((part) => (
          <SimilarCard key={part._id} part={part} />
        ))}
      </ul>
    </Section>
  )
}

/** Keeps the price and the Book button, or its replacement, in view on a phone. */
function PhoneBar({ part, waitBar }: Pick<PartScreenProps, 'part' | 'waitBar'>) {
  const money = useMoney()
  return (
    <div
      data-covers-bottom=""
      className="sticky bottom-0 z-30 -mx-5 mt-8 flex items-center justify-between gap-4 border-line border-t bg-paper px-5 py-2 sm:-mx-8 sm:px-8 lg:hidden"
    >
      <p className="font-bold font-display text-2xl tabular-nums">{money(part.price)}</p>
      <AddToBasket
        part={part}
        className="link inline-flex min-h-11 items-center text-center text-sm"
      />
      {isBookable(part) ? <BookLink part={part} className="shrink-0" /> : waitBar}
    </div>
  )
}

/** The page of a part on sale. */
export function PartScreen({ part, wait, waitBar, reviews }: PartScreenProps) {
  const bookable = isBookable(part)
  return (
    <div className="column py-6 md:py-10">
      <Crumbs {...part} />
      <Overview part={part} wait={wait} />
      {!bookable && <Similar title="In stock now" parts={part.similar} />}
      {!isLead(part) && (
        <Section id="about" title="Overview">
          <p className="wrap-anywhere max-w-[68ch] whitespace-pre-line">{part.description}</p>
        </Section>
      )}
      <Specification groups={part.specification} />
      <Similar id="goes-with" title="Goes with it" parts={part.goesWith} />
      {bookable && <Similar title="Similar parts" parts={part.similar} />}
      {reviews}
      <PhoneBar part={part} waitBar={waitBar} />
    </div>
  )
}

/** The page of a part that is no longer sold, with similar parts. */
export function GonePart({ part }: { part: Extract<PartPage, { isOnSale: false }> }) {
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      <Crumbs {...part} />
      <h1 className="font-bold text-4xl tracking-tight break-words md:text-5xl">{part.name}</h1>
      <p className="mt-4 text-lg">This part is no longer sold.</p>
      <Similar title="In stock now" parts={part.similar} />
      <p className="mt-8">
        <Link to="/parts" className="link inline-flex min-h-11 items-center">
          See all parts
        </Link>
      </p>
    </div>
  )
}
