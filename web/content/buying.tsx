import type { TextPage } from './text-page.ts'

const booking: TextPage = {
  path: '/how-booking-works',
  title: 'How booking works',
  lead: 'From Book now to a paid order, and what happens if you change your mind.',
  next: ['/card-payment', '/returns'],
  sections: ({ holdTime, renewal, expireDays, delivers }) => [
    {
      heading: 'Book',
      body: (
        <p>
          Log in, pick a part and choose how many you want: at least its minimum order quantity, at
          most its available quantity. The total is the price times the quantity, and you see it
          before you decide{delivers ? '; delivery is extra' : ', with nothing added later'}. To buy
          several parts, put them in your basket: you book and pay for them together, all or
          nothing.
        </p>
      ),
    },
    {
      heading: 'We hold your parts',
      body: (
        <p>
          Once you book, your parts are set aside for {holdTime}. The available quantity that others
          see drops at once, and no one else can book them. {renewal} My orders counts down the
          time. If you haven’t bought from us before, we hold the last units of a part that many
          others are holding, or let go unpaid within a day, for just ten minutes, or for the rest
          of your offer.
        </p>
      ),
    },
    {
      heading: 'Pay',
      body: (
        <p>
          Pay by card, right after booking or later from My orders. Once your payment goes through,
          My orders shows ‘paid’ and the transaction id, and we email you a receipt.
        </p>
      ),
    },
    {
      heading: 'If your time runs out',
      body: (
        <p>
          The parts go back on the shelf and you owe nothing. We tell you on the page and by email.
          The order stays in My orders, unpaid, for {expireDays} days. While enough units are in
          stock, you can still pay for it at the current price. If they’re gone, or the price has
          changed, we tell you before any money moves. A payment you confirmed before your time ran
          out counts at the price you agreed to, or goes back to your card.
        </p>
      ),
    },
    {
      heading: 'If it’s sold out',
      body: (
        <p>
          Join the queue; all you need is a confirmed email address. When units come back, we offer
          them to the first customer in line whose order they cover: we set them aside and email you
          the deadline. Book by then, at the current price. After that, they go to the next in line,
          you lose your place, and others go ahead of you for this part for a while. You can leave
          the queue whenever you like.
        </p>
      ),
    },
    {
      heading: 'How much we hold for you',
      body: (
        <p>
          You can have as much booked and unpaid as you’ve already paid us in the past. Beyond that,
          and on your first order, we leave some of each part for others: you can book three of six
          units, twenty of fifty, seventy of a hundred. Pay for those, and you can book as many
          again. You can always book one minimum order while it’s in stock, unless three other
          customers on your network are holding that part unpaid. While others are waiting for a
          part, or after you let three holds or offers run out within a day, one minimum order is
          the limit. From a queue, we set aside one minimum order at a time, for up to three parts.
          All accounts that share a mailbox count as one customer.
        </p>
      ),
    },
    {
      heading: 'If you change your mind',
      body: (
        <p>
          Delete an unpaid order in My orders, and its parts go back on the shelf at once. Until
          your first paid order, that counts as letting a hold run out, and you can delete up to ten
          an hour. You can cancel a paid order on its own page until it’s shipped: see Returns and
          refunds.
        </p>
      ),
    },
  ],
}

const sandboxNote = (
  <p>
    This shop is a demo for now. Payments are simulated: no card is charged, and a sandbox on our
    own server stands in for Stripe.
  </p>
)

const payment: TextPage = {
  path: '/card-payment',
  title: 'Card payment',
  lead: 'Pay by card, through Stripe. Your card number never reaches us.',
  next: ['/how-booking-works', '/returns'],
  sections: ({ sandbox, currency, delivers }) => [
    ...(sandbox ? [{ heading: 'Simulated for now', body: sandboxNote }] : []),
    {
      heading: 'What you pay',
      body: (
        <p>
          The total of your order, in {currency}: the price of the part when you booked it, times
          the quantity{delivers && ', plus the delivery you chose'}. While we hold your parts, the
          price stays the same. After that, you pay the current price, and we ask you first if it
          has changed.
        </p>
      ),
    },
    {
      heading: 'How it works',
      body: (
        <p>
          The card form belongs to Stripe, our card payment provider. What you type there goes
          straight from your browser to Stripe, never through us. Stripe also gets the amount, your
          name and your email address. Your bank may ask you to confirm the payment.
        </p>
      ),
    },
    {
      heading: 'When it counts',
      body: (
        <p>
          Your order is paid as soon as Stripe tells us so. If you close the page mid-payment,
          nothing is lost: Stripe lets us know, and we mark the order paid. You can’t pay for an
          order twice.
        </p>
      ),
    },
    {
      heading: 'If it fails',
      body: (
        <>
          <p>
            You see the reason in red under the card form. Nothing is charged, and we hold your
            parts until your time runs out. Try again, or use another card.
          </p>
          <p>
            If we receive a payment your order can no longer take, because it was deleted in the
            meantime or the last unit is gone, we refund all of it to the same card without your
            asking.
          </p>
        </>
      ),
    },
  ],
}

const delivery: TextPage = {
  path: '/delivery',
  title: 'Delivery',
  lead: 'From paying for your order to the parcel at your door.',
  next: ['/returns', '/contact'],
  sections: ({ shop, delivers }) => [
    {
      heading: 'Where we deliver',
      body: delivers ? (
        <p>
          Before you pay, tell us where to send your parcel and how, or choose to pick it up. You
          can still correct the name and street on your order’s page until it’s shipped. We only use
          your phone number for questions about your order.
        </p>
      ) : (
        <p>
          When you book, we ask for your phone number but not your address. Once you’ve paid, we
          call or email you to agree when and where to deliver. We only use the number for that
          order.
        </p>
      ),
    },
    {
      heading: 'What it costs',
      body: delivers ? (
        <p>
          Every part shows what delivery starts at and when it would arrive. Before you pay, you see
          the cost for your address and one final total.
        </p>
      ) : (
        <p>Nothing extra. You pay the total you saw when you booked.</p>
      ),
    },
    {
      heading: 'Where your order stands',
      body: (
        <p>
          My orders shows ‘paid’ as soon as your payment goes through, and ‘shipped’ once your
          parcel is on its way. We don’t pack unpaid orders; we only hold their parts.
        </p>
      ),
    },
    {
      heading: 'If something is wrong',
      body: (
        <p>
          If your parcel is late, damaged or not what you ordered, we’ll put it right. Call{' '}
          {shop.phone} or email <a href={`mailto:${shop.email}`}>{shop.email}</a>, and give us the
          order number from My orders, like F-1042.
        </p>
      ),
    },
  ],
}

const returns: TextPage = {
  path: '/returns',
  title: 'Returns and refunds',
  lead: 'Until your order is shipped, you can delete or cancel it yourself. After that, just tell us.',
  next: ['/contact', '/terms'],
  sections: ({ shop }) => [
    {
      heading: 'Not paid yet',
      body: (
        <p>
          Delete the order in My orders. Its parts go back on the shelf at once and you owe nothing.
          Or simply let your time run out: you don’t have to pay.
        </p>
      ),
    },
    {
      heading: 'Paid, not shipped',
      body: (
        <p>
          Open the order from My orders and cancel all of it, or just one part. If it hasn’t been
          shipped, we keep it here and refund what you paid for it to your card.
        </p>
      ),
    },
    {
      heading: 'It’s here, but not for you',
      body: (
        <p>
          Tell us within {shop.returnDays} days of delivery: on the order’s page or, without logging
          in, under <a href="/withdraw">Withdraw from a purchase</a>. Send it back complete. You can
          try it as you would in a shop. Once it’s back with us, we refund what you paid for it.
        </p>
      ),
    },
    {
      heading: 'It’s faulty, damaged or the wrong part',
      body: (
        <p>
          Tell us what’s wrong; a picture helps. We’ll replace it or refund it, whichever you
          prefer, and sending it back costs you nothing.
        </p>
      ),
    },
    {
      heading: 'How you get your money back',
      body: (
        <p>
          To the card you paid with, through Stripe. It usually takes five to ten days to show up in
          your account.
        </p>
      ),
    },
  ],
}

export const buying: TextPage[] = [booking, payment, delivery, returns]
