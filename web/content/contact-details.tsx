import { addressLines, type PageFacts, phoneLink } from '#contracts/shop.ts'

/** Phone, opening hours, address and e-mail, with links to call and write. */
export function ContactDetails({ shop }: { shop: PageFacts }) {
  const { phone, email, openingHours } = shop
  return (
    <dl className="contact-details">
      <div>
        <dt>Phone</dt>
        <dd>
          <a href={phoneLink(phone)}>{phone}</a>
          {openingHours && <p className="whitespace-pre-line">{openingHours}</p>}
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          <address>
            {addressLines(shop).map((line, i) => (
              <span key={i}>{line}</span>
            ))}
          </address>
        </dd>
      </div>
      <div>
        <dt>Email</dt>
        <dd>
          <a href={`mailto:${email}`}>{email}</a>
        </dd>
      </div>
    </dl>
  )
}
