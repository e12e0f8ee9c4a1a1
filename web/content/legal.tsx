import { ContactDetails } from './contact-details.tsx'
import type { Facts, TextPage } from './text-page.ts'

const storedFacts = ({ google, firebase }: Facts) => (
  <ul>
    <li>
      <strong>Your account:</strong> name, email address, whether you have confirmed it, and the
      mailbox you confirmed first, which we use to count what we hold for you
      {firebase
        ? '. Firebase, a Google service, keeps these too, along with your password, which we never see.'
        : ', and your password as a hash that can’t be turned back into it.'}
      {google &&
        ' If you continue with Google, Google gives us your name and email address, but no password.'}
    </li>
    <li>
      <strong>Your logins:</strong>{' '}
      {firebase
        ? 'Firebase keeps the time and network address until you log out. We keep nothing.'
        : 'the time, network address and browser. They end seven days after your last visit, or when you log out.'}
    </li>
    <li>
      <strong>Your orders:</strong> the part, quantity and price, your name, email address and phone
      number, where they go, the invoice address and tax number if you gave them, and the
      transaction id of the payment; while we hold its parts, a fingerprint of the network you
      booked from; once it’s paid, a fingerprint of your mailbox. An unpaid order that you delete,
      or that expires, is gone from your list at once and from our books 90 days later.
    </li>
    <li>
      <strong>What you’re waiting for:</strong> the part, how many, since when, and a fingerprint of
      the network you joined from, until you leave the queue, book, or let an offer expire, and for
      a year at most.
    </li>
    <li>
      <strong>Holds and offers you let run out,</strong> with a fingerprint of your mailbox instead
      of its address and, until you confirm it, one of the network you booked from: a hold for one
      day, an offer for three, and either for as long as others go ahead of you.
    </li>
    <li>
      <strong>Your profile:</strong> the phone number from your first booking and, if you fill them
      in, education, location and LinkedIn.
    </li>
    <li>
      <strong>Your addresses:</strong> the ones you save for your next order, until you delete them.
    </li>
    <li>
      <strong>Your basket:</strong> the parts you put in it while logged in, and how many.
    </li>
    <li>
      <strong>Your machine:</strong> the parts of your PC, both those we shipped to you and those
      you add, until you remove them.
    </li>
    <li>
      <strong>Your reviews:</strong> your name, text, stars, the date and whether you bought here
      are public until you delete the review. Your email address isn’t shown.
    </li>
    <li>
      <strong>What you ask or send back:</strong> your messages and pictures, and how it was
      settled. Only you and our admins see this.
    </li>
    <li>
      <strong>Emails</strong> we sent you, such as the one that confirms your address.
    </li>
    <li>
      <strong>Attempts:</strong> how often a network or an account asked for a login, an email or a
      change in the last hour, so no one can guess passwords or flood a mailbox.
    </li>
  </ul>
)

/** The personal data that the shop stores. Keep every line consistent with the tables. */
const privacy: TextPage = {
  path: '/privacy',
  title: 'Privacy policy',
  lead: 'What we know about you, why, who else knows, and how to change that.',
  next: ['/storage', '/contact'],
  sections: (facts) => [
    {
      heading: 'Just looking',
      body: (
        <p>
          If you’re just looking, we know nothing about you. You don’t need an account to browse,
          and we run no visitor statistics and no third-party scripts. Our log records what kind of
          page was requested and how long it took, not who asked.
        </p>
      ),
    },
    { heading: 'What we keep', body: storedFacts(facts) },
    {
      heading: 'What it is for',
      body: (
        <p>
          To sell you parts: to know whose order it is, to contact you about it, and to take and
          refund payments. Nothing else: we don’t advertise, and we don’t sell data.
        </p>
      ),
    },
    {
      heading: 'Who else gets it',
      body: (
        <p>
          {facts.sandbox
            ? 'For now, no one: payments are simulated on our own server. With real payments it’s '
            : 'When you pay: '}
          Stripe, which gets your card, your name, your email address and the amount. Stripe’s
          script is loaded only on the payment page.{' '}
          {facts.firebase &&
            'When you log in: Google, which keeps your account in its Firebase service and emails you its links. '}
          Our email provider sees the emails we send. Our admins see orders and accounts.
        </p>
      ),
    },
    {
      heading: 'How long',
      body: (
        <p>
          We keep your account and profile for as long as you have an account. After that, reviews
          stay without your name, and so do orders, for as long as a shop must keep its books; only
          the country and region of their addresses stay. Invoices stay as issued, as the law
          requires. What you wrote to us about questions and returns is deleted with your account,
          or three years after the matter is closed.
        </p>
      ),
    },
    {
      heading: 'What you can ask for',
      body: (
        <p>
          You can change your profile, name, email address and password yourself under My Profile.
          There you can also download a copy of everything
          {facts.firebase ? '' : ', see where you are logged in,'} and delete your account. For any
          other correction, email <a href={`mailto:${facts.shop.email}`}>{facts.shop.email}</a> from
          the address of your account.
          {` ${facts.shop.owner} `}is responsible for your data. If you’re not happy with our
          answer, you can contact your country’s data protection authority.
        </p>
      ),
    },
  ],
}

const withCookies = (
  <>
    <li>
      <code>ferrite.session_token</code>, a cookie that scripts can’t read: keeps you logged in for
      seven days after your last visit. Logging out removes it. Over an encrypted connection, its
      name begins with <code>__Secure-</code>.
    </li>
    <li>
      <code>ferrite.device</code>, a cookie that scripts can’t read: lets you log in from this
      browser even while someone elsewhere is guessing your password. It holds no name or address,
      lasts six months, and is worthless once you change your password.
    </li>
  </>
)
const withFirebase = (
  <li>
    <code>firebaseLocalStorageDb</code>, a database in this browser: keeps you logged in to
    Firebase, the Google service that keeps your account. Logging out empties it.
  </li>
)

/** The data that the shop stores in a browser. Keep every line consistent with the code. */
const storage: TextPage = {
  path: '/storage',
  title: 'Cookies and storage',
  lead: 'Everything this shop keeps in your browser. Without it, you couldn’t log in.',
  next: ['/privacy', '/terms'],
  sections: ({ google, sandbox, firebase }) => [
    {
      heading: 'When you log in',
      body: (
        <ul>
          <li>
            <code>accessToken</code> in local storage: tells the shop who you are. It lasts one
            hour, is renewed while you’re here, and is removed when you log out.
          </li>
          {firebase ? withFirebase : withCookies}
          {google && (
            <li>
              While you continue with Google, a cookie and a storage entry make sure that Google’s
              reply belongs to your login. They last a few minutes.
            </li>
          )}
        </ul>
      ),
    },
    {
      heading: 'When you book or change something',
      body: (
        <p>
          <code>ferrite.catalogue</code>, a cookie that scripts can’t read: lets you see your own
          change at once. It’s the same for everyone and lasts five seconds.
        </p>
      ),
    },
    {
      heading: 'When you choose parts',
      body: (
        <p>
          <code>basket</code> in local storage: the numbers, quantities and prices of the parts in
          your basket. While you’re logged in, your account keeps the numbers and quantities too, so
          you find them on your other devices. <code>compare</code> in local storage: the numbers of
          the parts you’re comparing.
        </p>
      ),
    },
    {
      heading: 'When you choose a theme',
      body: (
        <p>
          <code>theme</code> in local storage: <code>light</code> or <code>dark</code>. If you use
          your system’s theme, nothing is kept.
        </p>
      ),
    },
    {
      heading: 'While the page is open',
      body: (
        <p>
          Session storage remembers how far you’ve scrolled, so Back takes you to the same place,
          and what you’ve typed into a form but not sent, so you don’t lose it if you have to log
          in. Sending the form or logging out removes that; closing the tab removes everything.
        </p>
      ),
    },
    ...(sandbox
      ? []
      : [
          {
            heading: 'When you pay',
            body: (
              <p>
                Stripe may set its own cookies on the payment page to detect fraud. Its privacy
                policy says what they hold.
              </p>
            ),
          },
        ]),
    {
      heading: 'Why there is no banner',
      body: (
        <p>
          Because there’s nothing to choose. Everything here is needed for what you asked for, none
          of it tracks you, and you can remove it in your browser’s settings at any time. You’ll
          then be logged out and see your system’s theme.
        </p>
      ),
    },
  ],
}

const terms: TextPage = {
  path: '/terms',
  title: 'Terms of use',
  lead: 'What we owe you and what you owe us, in plain words.',
  next: ['/returns', '/privacy'],
  sections: ({ shop, holdTime, renewal, currency }) => [
    {
      heading: 'Who you deal with',
      body: (
        <p>
          {shop.name}, run by {shop.owner}. You’ll find the address in the Imprint. These terms
          apply to every order in this shop.
        </p>
      ),
    },
    {
      heading: 'Your account',
      body: (
        <p>
          You need one to book. Use your own name and an email address you check: we’ll send a
          verification email to it. Keep your password to yourself, and tell us if someone else
          knows it. One person, one account.
        </p>
      ),
    },
    {
      heading: 'Booking and buying',
      body: (
        <p>
          A booking commits you to nothing, and holds the parts for you for {holdTime}. {renewal} If
          you haven’t bought from us before, we hold the last units of a part that many others are
          holding, or let go unpaid within a day, for just ten minutes, or for the rest of your
          offer. A booking becomes a purchase once your payment goes through. Until then, you can
          delete it, and we may let it expire.
        </p>
      ),
    },
    {
      heading: 'Prices',
      body: (
        <p>
          In {currency}. While we hold your parts, you pay the total you saw when you booked. After
          that, you pay the current price, which you see before you pay. Later price changes don’t
          affect paid orders.
        </p>
      ),
    },
    {
      heading: 'If we can’t deliver',
      body: (
        <p>
          We only hold what we have, but a part can still turn out to be faulty before we ship it.
          If that happens, we’ll tell you and refund you in full.
        </p>
      ),
    },
    {
      heading: 'Reviews',
      body: (
        <p>
          Say what you think, good or bad. Everyone can see your review, with your name. We don’t
          write, change or pay for reviews. ‘Bought here’ appears next to reviews by people who had
          paid for an order. You can edit or delete yours where you wrote it. We hide reviews that
          insult people, break the law or have nothing to do with the shop, and tell the author why.
        </p>
      ),
    },
    {
      heading: 'Fair use',
      body: (
        <p>
          Don’t book parts just to keep them from others, and don’t try to access other people’s
          data. We close accounts that do.
        </p>
      ),
    },
    {
      heading: 'Your legal rights',
      body: (
        <p>
          Nothing here takes away any right that your country’s law gives you as a buyer. We are
          liable for harm we cause, as the law provides.
        </p>
      ),
    },
  ],
}

const imprint: TextPage = {
  path: '/imprint',
  title: 'Imprint',
  lead: 'Who runs this shop and answers for what it says.',
  next: ['/contact', '/terms'],
  sections: ({ shop }) => [
    {
      heading: 'Responsible',
      body: (
        <>
          <p>
            {shop.owner}, owner of {shop.name}, who is also responsible for the content of these
            pages.
          </p>
          {shop.taxNumber && <p>Tax number: {shop.taxNumber}</p>}
        </>
      ),
    },
    { heading: 'Contact', body: <ContactDetails shop={shop} /> },
    {
      heading: 'Pictures, texts and software',
      body: (
        <p>
          The part drawings and texts are our own. The shop’s software is open source under the MIT
          licence. Names of other makers’ components belong to their owners.
        </p>
      ),
    },
  ],
}

export const legal: TextPage[] = [terms, privacy, storage, imprint]
