/** The footer's groups with their pages, in the order shown. The texts themselves are in the files beside. */
export const sitePages = [
  {
    group: 'Services',
    pages: [
      { to: '/how-booking-works', text: 'How booking works' },
      { to: '/card-payment', text: 'Card payment' },
      { to: '/delivery', text: 'Delivery' },
      { to: '/returns', text: 'Returns and refunds' },
    ],
  },
  {
    group: 'Company',
    pages: [
      { to: '/about', text: 'About us' },
      { to: '/contact', text: 'Contact' },
      { to: '/portfolio', text: 'My portfolio' },
      { to: '/blogs', text: 'Blogs' },
    ],
  },
  {
    group: 'Legal',
    pages: [
      { to: '/terms', text: 'Terms of use' },
      { to: '/privacy', text: 'Privacy policy' },
      { to: '/storage', text: 'Cookies and storage' },
      { to: '/imprint', text: 'Imprint' },
    ],
  },
]
