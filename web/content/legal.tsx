import { contact } from './contact.ts'
import { ContactDetails } from './contact-details.tsx'
import { privacy } from './privacy.tsx'
import { storage } from './storage.tsx'
import type { TextPage } from './text-page.ts'

const terms: TextPage = {
  path: '/terms',
  title: 'Terms of use',
  lead: 'What we owe you and what you owe us, in plain words.',
  next: ['/returns', '/privacy'],
  sections: ({ holdMinutes }) => [
    {
      heading: 'Who you deal with',
      body: (
        <p>
          Ferrite, run by {contact.owner}. The address is in the Imprint. These terms hold for every
          order in this shop.
        </p>
      ),
    },
    {
      heading: 'Your account',
      body: (
        <p>
          You need one to book. Give your own name and an e-mail address that you read: we send a
          verification mail to it. Keep your password to yourself and tell us when somebody else
          knows it. One person, one account.
        </p>
      ),
    },
    {
      heading: 'Booking and buying',
      body: (
        <p>
          A booking holds the pieces for you for {holdMinutes} minutes and binds you to nothing. It
          becomes a purchase when your payment has succeeded. Until then you can delete it, and we
          may let it end.
        </p>
      ),
    },
    {
      heading: 'Prices',
      body: (
        <p>
          In whole US dollars. The total at booking is the total you pay while your pieces are held.
          An order whose hold is over is paid at the price of the day, which you see before you pay.
          A price that changes later changes no order that is paid.
        </p>
      ),
    },
    {
      heading: 'When we can not deliver',
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
  sections: () => [
    {
      heading: 'Responsible',
      body: <p>{contact.owner}, owner of Ferrite, also for the content of these pages.</p>,
    },
    { heading: 'Reached at', body: <ContactDetails /> },
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
