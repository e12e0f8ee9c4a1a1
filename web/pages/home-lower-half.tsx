import type { HomeParts } from '#contracts/part-lists.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ContactDetails } from '#web/content/contact-details.tsx'
import { summary } from '#web/content/summary.ts'
import { BestSeller } from '#web/features/home/best-seller.tsx'
import type { ReviewDigest } from '#web/features/reviews/queries.ts'
import { ReviewSection } from '#web/features/reviews/review-section.tsx'
import { useShop } from '#web/lib/use-shop.ts'

/** '15+ Countries' is the figure and what it counts. */
function figureIn(line: string) {
  const [figure = '', ...what] = line.split(' ')
  return { figure, what: what.join(' ') }
}

/** The owner's figures of the shop, in a demonstration the sample's; and two links. */
function Summary() {
  const { isDemo, facts } = useShop()
  const own = facts.figures.split('\n').filter(Boolean).map(figureIn)
  const figures = own.length > 0 || !isDemo ? own : summary
  return (
    <section id="summary" aria-labelledby="summary-title" className="column pt-12 md:pt-20">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-6">
        <h2 id="summary-title" className="section-title">
          Business summary
        </h2>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="#contact">Contact us</ButtonLink>
          <ButtonLink to="/dashboard/addReview" variant="quiet">
            Give Feedback
          </ButtonLink>
        </div>
      </div>
      {figures.length > 0 && (
        <ul className="summary">
          {figures.map(({ figure, what }, i) => (
            <li key={i}>
              <strong>{figure}</strong> <span>{what}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Contact() {
  const { facts } = useShop()
  return (
    <section id="contact" aria-labelledby="contact-title" className="column pt-12 md:pt-20">
      <div className="contact">
        <div>
          <h2 id="contact-title" className="section-title">
            Contact
          </h2>
          <p className="mt-4 max-w-[36ch] text-dim">
            Ask before you book or after it has arrived. A person reads it.
          </p>
        </div>
        <ContactDetails shop={facts} />
      </div>
    </section>
  )
}

type LowerHalfProps = { homeParts?: HomeParts; reviews?: ReviewDigest }

/** The part of the home page below the parts. */
export default function LowerHalf({ homeParts, reviews }: LowerHalfProps) {
  return (
    <>
      <BestSeller initial={homeParts} />
      <ReviewSection initial={reviews} />
      <Summary />
      <Contact />
    </>
  )
}
