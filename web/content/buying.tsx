import type { TextPage } from './text-page.ts'

const booking: TextPage = {
  path: '/how-booking-works',
  title: 'How booking works',
  lead: 'From Book now to a paid order, and what happens when you change your mind.',
  next: ['/card-payment', '/returns'],
  sections: ({ holdTime, renewal, expireDays, delivers }) => [
    {
      heading: 'Book',
      body: (
        <p>
          Log in, choose a part and say how many: not fewer than its minimum order quantity, not
          more than are available. The total is the price times the quantity. You see it before you
          decide{delivers ? '; delivery comes on top' : ', and nothing is added to it later'}.
          Several parts go into your basket, and are booked and paid together: all of them, or none.
        </p>
      ),
    },
    {
      heading: 'Held',
      body: (
        <p>
          From that moment your parts are off the shelf for {holdTime}. The available quantity that
          others see goes down at once, and no one else can book them. {renewal} My orders counts
          the time down. If you have not bought here before, the last units of a part that many
          others hold, or let go unpaid within a day, are kept for ten minutes, or for the rest of
          your offer.
        </p>
      ),
    },
    {
      heading: 'Pay',
      body: (
        <p>
          Pay by card, right after booking or from My orders. When the payment has succeeded, My
          orders says paid and shows the transaction id, and the receipt is in your mail.
        </p>
      ),
    },
    {
      heading: 'If the time runs out',
      body: (
        <p>
          The parts go back on the shelf and you owe nothing. You are told so on the page and by
          mail. The order stays in My orders, unpaid, for {expireDays} days. As long as enough units
          are left you can still pay it, at the price of the day. If they are gone, or the price has
          changed, you are told so before any money moves. A payment that you confirmed before the
          time ran out counts at the price you agreed to, or goes back to your card.
        </p>
      ),
    },
    {
      heading: 'If it is sold out',
      body: (
        <p>
          Wait in its queue, with a confirmed e-mail address. When units come back, we offer them to
          the first customer whose order they cover: we set them aside and mail you the deadline.
          Book them by then, at the price of the day; later they go to the next, your place ends,
          and others go first at this product for a while. Leave the queue whenever you like.
        </p>
      ),
    },
    {
      heading: 'How much we keep for you',
      body: (
        <p>
          As much as you have paid us before, you can have booked and unpaid. Beyond that, as with a
          first order, we leave some of a product to others: of six units you can book three, of
          fifty twenty, of a hundred seventy. Pay for these, and you can have as many again. One
          minimum order is always possible while it is there, unless three other customers of your
          network hold the product and have not paid either. While others wait for a product, or
          after you let three holds or offers end unpaid within a day, one minimum order is all.
          From a queue we set aside one minimum order at a time, of three products at most. All
          accounts of one mailbox count as one customer.
        </p>
      ),
    },
    {
      heading: 'If you change your mind',
      body: (
        <p>
          Delete an unpaid order in My orders; its parts go back at once. Until your first paid
          order it counts like one that you let run out, and you can delete ten within an hour.
          Cancel a paid order on its own page until it is shipped, as Returns and refunds says.
        </p>
      ),
    },
  ],
}

const sandboxNote = (
  <p>
    This shop is a demonstration at the moment. Payments are simulated: no card is charged, and a
    sandbox on our own server takes Stripe’s part.
  </p>
)

const payment: TextPage = {
  path: '/card-payment',
  title: 'Card payment',
  lead: 'By card, through Stripe. Your card number never reaches us.',
  next: ['/how-booking-works', '/returns'],
  sections: ({ sandbox, currency, delivers }) => [
    ...(sandbox ? [{ heading: 'Simulated for now', body: sandboxNote }] : []),
    {
      heading: 'What you pay',
      body: (
        <p>
          The total of your order, in {currency}: the price of the part when you booked it, times
          the quantity{delivers && ', and the delivery that you chose'}. While your parts are held
          the price stays as it was. Once the hold is over it is the price of the day, and you are
          asked before you pay a different one.
        </p>
      ),
    },
    {
      heading: 'How it works',
      body: (
        <p>
          The card fields belong to Stripe, our card payment provider. What you type into them goes
          from your browser to Stripe and not through us. With it Stripe gets the amount, your name
          and your e-mail address. Your bank may ask you to confirm.
        </p>
      ),
    },
    {
      heading: 'When it counts',
      body: (
        <p>
          Your order is paid when Stripe tells us so. If you close the page while a payment is under
          way nothing is lost: we hear of it from Stripe and mark the order paid. An order takes one
          payment and never two.
        </p>
      ),
    },
    {
      heading: 'When it fails',
      body: (
        <>
          <p>
            The reason is shown in red under the card form. Nothing is charged, and your parts stay
            held until their time is over. Try again, or use another card.
          </p>
          <p>
            Should money arrive that your order can no longer take, because it was deleted meanwhile
            or the last piece is gone, all of it goes back to the same card without your asking.
          </p>
        </>
      ),
    },
  ],
}

const delivery: TextPage = {
  path: '/delivery',
  title: 'Delivery',
  lead: 'What happens between a paid order and a parcel at your door.',
  next: ['/returns', '/contact'],
  sections: ({ shop, delivers }) => [
    {
      heading: 'Where to',
      body: delivers ? (
        <p>
          Before you pay you say where the parcel goes and how, or that you pick it up. After the
          payment you can still correct the name and the street, on the page of your order, until it
          is shipped. Your phone number is for questions about the order and for nothing else.
        </p>
      ) : (
        <p>
          Booking asks for your phone number and for no address. Once your order is paid we call
          you, or write to your e-mail address, and agree on where and when. The number is used for
          that order and for nothing else.
        </p>
      ),
    },
    {
      heading: 'What it costs',
      body: delivers ? (
        <p>
          Each part says from how much it is delivered, and by when. Before you pay you see what
          your address costs, and all of it in one sum.
        </p>
      ) : (
        <p>Nothing on top. The total that you saw when you booked is what you pay.</p>
      ),
    },
    {
      heading: 'Where your order stands',
      body: (
        <p>
          My orders says paid as soon as the payment has succeeded, and shipped when the parcel has
          left us. Unpaid orders are not packed: their parts are only held.
        </p>
      ),
    },
    {
      heading: 'If something is wrong',
      body: (
        <p>
          A parcel that is late, damaged or not what you ordered is ours to put right. Call{' '}
          {shop.phone} or write to <a href={`mailto:${shop.email}`}>{shop.email}</a>, and name the
          order number from My orders, like F-1042.
        </p>
      ),
    },
  ],
}

const returns: TextPage = {
  path: '/returns',
  title: 'Returns and refunds',
  lead: 'Until an order is shipped, you delete or cancel it yourself; then write to us.',
  next: ['/contact', '/terms'],
  sections: ({ shop }) => [
    {
      heading: 'Not paid yet',
      body: (
        <p>
          Delete the order in My orders. Its parts go back on the shelf at once and you owe nothing.
          You may as well let the time run out: you need not pay.
        </p>
      ),
    },
    {
      heading: 'Paid, not shipped',
      body: (
        <p>
          Open the order from My orders and cancel it, or only one of several. As long as it is not
          shipped we keep it here, and what you paid for it goes back to your card.
        </p>
      ),
    },
    {
      heading: 'It has arrived and is not for you',
      body: (
        <p>
          Tell us within {shop.returnDays} days of its arrival: on the page of the order, or without
          a login under <a href="/withdraw">Withdraw from a purchase</a>. Send it back complete. You
          may try it as you would in a shop. When it is here we refund what you paid for it.
        </p>
      ),
    },
    {
      heading: 'It is faulty, damaged or the wrong part',
      body: (
        <p>
          Tell us what you see; a picture helps. We send another one or refund it, as you like, and
          sending it back costs you nothing.
        </p>
      ),
    },
    {
      heading: 'How the money comes back',
      body: (
        <p>
          To the card you paid with, through Stripe. Banks usually need five to ten days until it
          can be seen on your account.
        </p>
      ),
    },
  ],
}

export const buying: TextPage[] = [booking, payment, delivery, returns]
