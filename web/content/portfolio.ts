/**
 * The text of the portfolio page. Shop owners replace it with their own. Links may be paths of this
 * site.
 */
export const portfolio = {
  summary:
    'I build small shops that keep their promises: exact stock, stable prices, and pages everyone can use.',
  education: [
    { years: '2016 – 2019', what: 'B.Sc. in Computer Science', where: 'Distance university' },
    { years: '2013 – 2016', what: 'Apprenticeship in electronics', where: 'Repair workshop' },
  ],
  skills: [
    'TypeScript',
    'React',
    'Server rendering',
    'Node',
    'PostgreSQL',
    'Card payments',
    'Accessibility',
    'Technical drawing',
  ],
  projects: [
    {
      title: 'A catalogue drawn by hand',
      text: 'Every part of this shop as an engineer’s poster, in one hand and six colours.',
      to: '/#parts',
    },
    {
      title: 'Stock that stays honest',
      text: 'Booking holds the parts while the customer pays, so no one buys what isn’t there.',
      to: '/how-booking-works',
    },
    {
      title: 'Basics of React',
      text: 'Five questions that come up in every interview, answered in plain words.',
      to: '/blogs',
    },
  ],
}
