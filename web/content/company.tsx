import { sampleName } from '#contracts/shop.ts'
import { ContactDetails } from './contact-details.tsx'
import type { Section, TextPage } from './text-page.ts'

const theName: Section = {
  heading: 'The name',
  body: (
    <p>
      A ferrite is a magnetic ceramic. Wound with copper, it becomes the ring core that keeps the
      current in a power supply steady. There’s one in nearly every computer, doing its job without
      a sound. That’s our logo, and our idea of a shop.
    </p>
  ),
}

const aboutPage: TextPage = {
  path: '/about',
  title: 'About us',
  lead: 'A small computer parts shop that says what it has, and has what it says.',
  next: ['/how-booking-works', '/contact'],
  sections: ({ holdTime, shop }) => [
    {
      heading: 'What we promise',
      body: (
        <p>
          If we say it’s in stock, it’s in stock. The figure on every card counts the units on our
          shelf that aren’t held for anyone. When you book, yours come off that figure for at least{' '}
          {holdTime} while you pay, so no one pays for a part that isn’t there.
        </p>
      ),
    },
    {
      heading: 'How we describe parts',
      body: (
        <p>
          Plainly, and with what we’d want to know ourselves: how long a card is, how loud a fan
          gets, what’s in the box and what isn’t. Every part is pictured the same plain way, so you
          compare parts, not photography.
        </p>
      ),
    },
    {
      heading: 'What we leave out',
      body: (
        <p>
          No made-up countdowns to rush you, no crossed-out prices, no fees at the end, no ads, and
          nothing that follows you to other sites.
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
  lead: 'Call, email or send a parcel: it all lands on the same desk.',
  next: ['/returns', '/imprint'],
  sections: ({ shop }) => [
    { heading: 'How to reach us', body: <ContactDetails shop={shop} /> },
    {
      heading: 'About an order',
      body: (
        <p>
          Email us from the address on your account and include the order number from My orders,
          like F-1042. On the phone, the number is all we need.
        </p>
      ),
    },
    {
      heading: 'About a part',
      body: (
        <p>
          Ask before you book: whether it fits, what’s in the box, when it’ll be back in stock. We’d
          rather answer a question than take a part back.
        </p>
      ),
    },
    {
      heading: 'About your data',
      body: (
        <p>
          {shop.owner} answers those questions too. Our Privacy policy says what we keep and what
          you can ask for.
        </p>
      ),
    },
  ],
}

export const company: TextPage[] = [aboutPage, contactPage]
