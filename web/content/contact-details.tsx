import { contact } from './contact.ts'

/** Phone, address and e-mail, with links to call and write. */
export function ContactDetails() {
  const { phone, address, email } = contact
  return (
    <dl className="contact-details">
      <div>
        <dt>Phone</dt>
        <dd>
          <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          <address>
            {address.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
        </dd>
      </div>
      <div>
        <dt>E-mail</dt>
        <dd>
          <a href={`mailto:${email}`}>{email}</a>
        </dd>
      </div>
    </dl>
  )
}
