import { sampleName } from '#contracts/shop.ts'
import { ContactDetails } from './contact-details.tsx'
import type { Section, TextPage } from './text-page.ts'

const theName: Section = {
  heading: 'The name',
  body: (
    <p>
      A ferrite is a magnetic ceramic. Wound with copper it becomes the ring core that keeps the
      current in a power supply steady. You find one in nearly every computer, doing its work
      without a sound. That is our mark, and our idea of a shop.
    </p>
  ),
}

const aboutPage: TextPage = {
  path: '/about',
  title: 'About us',
  lead: 'A small shop for computer parts that says what it has, and has what it says.',
  next: ['/how-booking-works', '/contact'],
  sections: ({ holdTime, shop }) => [
    {
      heading: 'What we promise',
      body: (
        <p>
          What we say is in stock is in stock. The figure on every card counts the units that are on
          the shelf and held for no one. When you book, yours leave that figure for at least{' '}
          {holdTime} while you pay. So no one pays for a part that is not there.
        </p>
      ),
    },
    {
      heading: 'How we describe parts',
      body: (
        <p>
          Plainly, and with what we would want to know ourselves: how long a card is, how loud a fan
          gets, what is in the box and what is not. Every part has its own picture, on a plate of
          one shape and without decoration, so that you compare parts and not photographs.
        </p>
      ),
    },
    {
      heading: 'What we leave out',
      body: (
        <p>
          No countdowns made up to hurry you, no prices crossed out, no fees at the end, no
          advertising and nothing that follows you to other sites.
        </p>
      ),
    },
    // a shop with another name has another story
    ...(shop.name === sampleName ? [theName] : []),
  ],
}

const contactPage: TextPage = {
  path: '/contact',
  title: 'Contact',
  lead: 'Call, write, or send a parcel: it all arrives at the same desk.',
  next: ['/returns', '/imprint'],
  sections: ({ shop }) => [
    { heading: 'Where we are', body: <ContactDetails shop={shop} /> },
    {
      heading: 'About an order',
      body: (
        <p>
          Write from the e-mail address of your account, and name the order number from My orders,
          like F-1042. On the phone the number is enough: we find it at once.
        </p>
      ),
    },
    {
      heading: 'About a part',
      body: (
        <p>
          Ask before you book: whether it fits, what is in the box, when there will be more. We
          would rather answer than take it back.
        </p>
      ),
    },
    {
      heading: 'About your data',
      body: (
        <p>
          {shop.owner} answers that, too. The Privacy policy says what we keep and what you can ask
          for.
        </p>
      ),
    },
  ],
}

export const company: TextPage[] = [aboutPage, contactPage]
