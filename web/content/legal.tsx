import { ContactDetails } from './contact-details.tsx'
import type { Facts, TextPage } from './text-page.ts'

const storedFacts = ({ google, firebase }: Facts) => (
  <ul>
    <li>
      <strong>Your account:</strong> name, e-mail address, whether you have confirmed it, and the
      mailbox that you confirmed first, by which we count what we keep for you
      {firebase
        ? '. Firebase, a service of Google, keeps these too, and your password; we never see that.'
        : ', and your password as a hash that cannot be turned back into it.'}
      {google &&
        ' If you continue with Google we get your name and e-mail address from Google, and no password.'}
    </li>
    <li>
      <strong>Your logins:</strong>{' '}
      {firebase
        ? 'Firebase keeps when and from which network address, until you log out. We keep none.'
        : 'when, from which network address and with which browser. They end seven days after you were last here, or when you log out.'}
    </li>
    <li>
      <strong>Your orders:</strong> the part, quantity and price, your name, e-mail address and
      phone number, where they go, the address and the tax number of the invoice if you gave them,
      and the transaction id of the payment; while we hold its parts, a fingerprint of the network
      that you booked from; once it is paid, a fingerprint of your mailbox. An unpaid order that you
      delete, or that ends, is gone from your list; it leaves our books 90 days later.
    </li>
    <li>
      <strong>What you wait for:</strong> the part, how many, and since when, until you leave the
      queue, book or let an offer pass; a year at the most. With a fingerprint of the network that
      you joined from.
    </li>
    <li>
      <strong>What you let go unpaid,</strong> a hold or an offer, with a fingerprint of your
      mailbox in place of its address and, as long as you have not confirmed it, one of the network
      that you booked from: for a day, an offer for three, and as long as others go first.
    </li>
    <li>
      <strong>Your profile:</strong> the phone number of your first booking and, if you fill them
      in, education, location and LinkedIn.
    </li>
    <li>
      <strong>Your addresses:</strong> those that you keep for the next order, until you delete
      them.
    </li>
    <li>
      <strong>Your basket:</strong> which parts you put into it while you were logged in, and how
      many.
    </li>
    <li>
      <strong>Your machine:</strong> the parts of your PC, those that we shipped to you and those
      that you add, until you remove them.
    </li>
    <li>
      <strong>Your reviews:</strong> name, text, stars, the day and whether you bought here are
      public until you remove them. Your e-mail address is not shown with them.
    </li>
    <li>
      <strong>What you ask or send back:</strong> your messages and pictures, and what became of it.
      Only our admins and you see it.
    </li>
    <li>
      <strong>Mails</strong> that we sent to you, such as the one that confirms your address.
    </li>
    <li>
      <strong>Attempts:</strong> how often a network or an account asked for a login, a mail or a
      change within the last hour, so that no one guesses passwords or floods a mailbox.
    </li>
  </ul>
)

/** The personal data that the shop stores. Keep every line consistent with the tables. */
const privacy: TextPage = {
  path: '/privacy',
  title: 'Privacy policy',
  lead: 'What we know about you, why, who else does, and how to change that.',
  next: ['/storage', '/contact'],
  sections: (facts) => [
    {
      heading: 'Just looking',
      body: (
        <p>
          Then we know nothing about you. There are no accounts to make for reading, no statistics
          about visitors and no scripts of others. Our log notes which kind of page was asked for
          and how long the answer took, not who asked.
        </p>
      ),
    },
    { heading: 'What we keep', body: storedFacts(facts) },
    {
      heading: 'What it is for',
      body: (
        <p>
          To sell you parts: to know whose order it is, to reach you about it, to take a payment and
          to give one back. For nothing else; we do not advertise and sell no data.
        </p>
      ),
    },
    {
      heading: 'Who else gets it',
      body: (
        <p>
          {facts.sandbox
            ? 'At the moment no one: payments are simulated on our own server. With real payments it is '
            : 'When you pay: '}
          Stripe, with your card, your name, your e-mail address and the amount. Stripe’s script is
          loaded on the payment page and on no other.{' '}
          {facts.firebase &&
            'When you log in: Google, which keeps your account in its service Firebase and mails you its links. '}
          The provider of our mail sees the mails. Our admins see orders and accounts.
        </p>
      ),
    },
    {
      heading: 'How long',
      body: (
        <p>
          Account and profile as long as you have an account. Reviews stay after it without your
          name, and so do orders, as long as a shop has to keep its books; of their addresses only
          the country and the region stay. Invoices stay as they were issued, as the law wants. Of
          what you ask or send back, your words leave with your account, else three years after its
          end.
        </p>
      ),
    },
    {
      heading: 'What you can ask for',
      body: (
        <p>
          Profile, name, e-mail address and password you change yourself, under My Profile. There
          you also download a copy of everything
          {facts.firebase ? '' : ', see where you are logged in,'} and delete your account. For
          another correction write to <a href={`mailto:${facts.shop.email}`}>{facts.shop.email}</a>{' '}
          from the address of your account.
          {` ${facts.shop.owner} `}is responsible for the data. If you are not content with the
          answer you can turn to the data protection authority of your country.
        </p>
      ),
    },
  ],
}

const withCookies = (
  <>
    <li>
      <code>ferrite.session_token</code>, a cookie that scripts cannot read: keeps you logged in for
      seven days after your last visit. Logging out removes it. Over an encrypted connection its
      name begins with <code>__Secure-</code>.
    </li>
    <li>
      <code>ferrite.device</code>, a cookie that scripts cannot read: lets you log in from this
      browser while someone elsewhere guesses at your password. It holds no name and no address,
      lasts half a year, and is worth nothing once you have a new password.
    </li>
  </>
)
const withFirebase = (
  <li>
    <code>firebaseLocalStorageDb</code>, a database of this browser: keeps you logged in at
    Firebase, a service of Google that keeps your account. Logging out empties it.
  </li>
)

/** The data that the shop stores in a browser. Keep every line consistent with the code. */
const storage: TextPage = {
  path: '/storage',
  title: 'Cookies and storage',
  lead: 'All that this shop keeps in your browser. Without it there could be no login.',
  next: ['/privacy', '/terms'],
  sections: ({ google, sandbox, firebase }) => [
    {
      heading: 'When you log in',
      body: (
        <ul>
          <li>
            <code>accessToken</code> in local storage: shows the shop who you are. It is good for
            one hour, is renewed while you are here, and is removed when you log out.
          </li>
          {firebase ? withFirebase : withCookies}
          {google && (
            <li>
              While you continue with Google, a cookie and an entry in storage make sure that the
              answer belongs to your question. They last for some minutes.
            </li>
          )}
        </ul>
      ),
    },
    {
      heading: 'When you book or change something',
      body: (
        <p>
          <code>ferrite.catalogue</code>, a cookie that scripts cannot read: it lets you see your
          own change at once. It is the same word for everybody and lasts five seconds.
        </p>
      ),
    },
    {
      heading: 'When you choose parts',
      body: (
        <p>
          <code>basket</code> in local storage: numbers, quantities and prices of the parts in your
          basket. While you are logged in your account keeps their numbers and quantities too, so
          that you find them on your other devices. <code>compare</code> in local storage: the
          numbers of the parts that you compare.
        </p>
      ),
    },
    {
      heading: 'When you choose a theme',
      body: (
        <p>
          <code>theme</code> in local storage: <code>light</code> or <code>dark</code>. With the
          theme of your system nothing is kept.
        </p>
      ),
    },
    {
      heading: 'While the page is open',
      body: (
        <p>
          Session storage remembers how far you had scrolled, so that Back leads to the same place,
          and what you typed into a form and have not sent, so that a login in between loses
          nothing. Sending the form or logging out removes that; closing the tab removes all of it.
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
                Stripe may set cookies of its own on the payment page, to tell people from thieves.
                Its privacy policy says what they hold.
              </p>
            ),
          },
        ]),
    {
      heading: 'Why there is no banner',
      body: (
        <p>
          Because there is nothing to choose. All of this is needed for what you asked for, none of
          it counts or follows you, and you can remove it in your browser’s settings at any time.
          You are then logged out and see the theme of your system.
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
          {shop.name}, run by {shop.owner}. The address is in the Imprint. These terms hold for
          every order in this shop.
        </p>
      ),
    },
    {
      heading: 'Your account',
      body: (
        <p>
          You need one to book. Give your own name and an e-mail address that you read: we send a
          verification mail to it. Keep your password to yourself and tell us when someone else
          knows it. One person, one account.
        </p>
      ),
    },
    {
      heading: 'Booking and buying',
      body: (
        <p>
          A booking binds you to nothing, and holds the parts for you for {holdTime}. {renewal} If
          you have not bought here before, the last units of a part that many others hold, or let go
          unpaid within a day, are kept for ten minutes, or for the rest of your offer. A booking
          becomes a purchase when your payment has succeeded. Until then you can delete it, and we
          may let it end.
        </p>
      ),
    },
    {
      heading: 'Prices',
      body: (
        <p>
          In {currency}. The total at booking is the total you pay while your parts are held. An
          order whose hold is over is paid at the price of the day, which you see before you pay. A
          price that changes later changes no order that is paid.
        </p>
      ),
    },
    {
      heading: 'When we cannot deliver',
      body: (
        <p>
          We hold what we have, but a part can still turn out broken in our hands. Then we tell you
          and give all of your money back.
        </p>
      ),
    },
    {
      heading: 'Reviews',
      body: (
        <p>
          Say what you found, good or bad. Your review is shown to everybody under your name. We do
          not write reviews, change them or pay for them. ‘Bought here’ stands beside a review whose
          author had paid for an order. You can edit and remove yours where you wrote it. We hide
          what insults people, breaks the law or has nothing to do with the shop, and tell its
          author why.
        </p>
      ),
    },
    {
      heading: 'Fair use',
      body: (
        <p>
          Do not book what you do not mean to buy to keep it from others, and do not try to get at
          other people’s data. We close accounts that do.
        </p>
      ),
    },
    {
      heading: 'Your rights by law',
      body: (
        <p>
          Nothing here takes a right from you that the law of your country gives to a buyer. We are
          liable for the harm that we cause, as the law says.
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
            {shop.owner}, owner of {shop.name}, also for the content of these pages.
          </p>
          {shop.taxNumber && <p>Tax number: {shop.taxNumber}</p>}
        </>
      ),
    },
    { heading: 'Reached at', body: <ContactDetails shop={shop} /> },
    {
      heading: 'Pictures, texts and software',
      body: (
        <p>
          The drawings of the parts and the texts are our own. The software of the shop is open
          source under the MIT licence. Names of components that others make belong to their owners.
        </p>
      ),
    },
  ],
}

export const legal: TextPage[] = [terms, privacy, storage, imprint]
