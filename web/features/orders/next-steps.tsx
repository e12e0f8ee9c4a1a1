import type { Order } from '#contracts/orders.ts'
import { contact } from '#web/content/contact.ts'

/** Writes to the shop, with the order in the subject. */
function WriteToUs({ order }: { order: Order }) {
  return (
    <a
      className="link"
      href={`mailto:${contact.email}?subject=${encodeURIComponent(`Order ${order.number}`)}`}
    >
      {contact.email}
    </a>
  )
}

const nowrap = (text: string) => <span className="whitespace-nowrap">{text}</span>

/** What happens to an order without its customer doing anything, and whom to write to when that should change. */
export function NextSteps({ order }: { order: Order }) {
  const { status, number, phone } = order
  return (
    <>
      {status === 'paid' && (
        <p>
          We call {nowrap(phone)} to agree where and when to deliver. Our number is{' '}
          <a className="link whitespace-nowrap" href={`tel:${contact.phone.replaceAll(' ', '')}`}>
            {contact.phone}
          </a>
          .
        </p>
      )}
      <p>
        {status === 'paid' ? 'To cancel, write to ' : 'Something is not right? Write to '}
        <WriteToUs order={order} /> with order {nowrap(number)}.
      </p>
    </>
  )
}
