import { contact } from './contact.ts'
import type { TextPage } from './text-page.ts'

const storedFacts = ({ google }: { google: boolean }) => (
  <ul>
    <li>
      <strong>Your account:</strong> name, e-mail address, whether you have confirmed it, and your
      password as a hash that can not be turned back into it.
      {google &&
        ' If you continue with Google we get your name and e-mail address from Google, and no password.'}
    </li>
    <li>
      <strong>Your logins:</strong> when, from which network address and with which browser. They
      end seven days after you were last here, or when you log out.
    </li>
    <li>
      <strong>Your orders:</strong> the part, quantity and price, your name, e-mail address and
      phone number, and the transaction id of the payment. An unpaid order that you delete is gone
      from your list; our books keep it, so that the stock always adds up.
    </li>
    <li>
      <strong>Your profile,</strong> if you fill it in: education, location, phone and LinkedIn.
    </li>
    <li>
      <strong>Your reviews:</strong> name, text, stars, the day and whether you bought here are
      public until you remove them. Your e-mail address is not shown with them.
    </li>
    <li>
      <strong>Mails</strong> that we sent to you, such as the one that confirms your address.
    </li>
    <li>
      <strong>Attempts:</strong> how often a network or an account asked for a login, a mail or a
      change within the last hour, so that nobody guesses passwords or floods a mailbox.
    </li>
  </ul>
)

/** What the shop keeps about people; every line is true of its tables. */
export const privacy: TextPage = {
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
            ? 'At the moment nobody: payments are simulated on our own server. With real payments it is '
            : 'When you pay: '}
          Stripe, with your card, your name, your e-mail address and the amount. Stripe’s script is
          loaded on the payment page and on no other. Whoever carries our mail sees the mails. Our
          admins see orders and accounts.
        </p>
      ),
    },
    {
      heading: 'How long',
      body: (
        <p>
          Account and profile as long as you have an account. Reviews stay after it without your
          name, and so do orders, as long as a shop has to keep its books.
        </p>
      ),
    },
    {
      heading: 'What you can ask for',
      body: (
        <p>
          Profile, name, e-mail address and password you change yourself, under My Profile. There
          you also download a copy of everything, see where you are logged in, and delete your
          account. For another correction write to{' '}
          <a href={`mailto:${contact.email}`}>{contact.email}</a> from the address of your account.
          {` ${contact.owner} `}is responsible for the data. If you are not content with the answer
          you can turn to the data protection authority of your country.
        </p>
      ),
    },
  ],
}
