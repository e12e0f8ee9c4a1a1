/** One review of the demo shop; `ratings` counts stars. */
export type DemoReview = { name: string; review: string; ratings: 1 | 2 | 3 | 4 | 5 }

/** The eight reviews a demo shop starts with. */
export const demoReviews: DemoReview[] = [
  {
    name: 'Amara Okonkwo',
    review:
      'The page said 12 in stock and one of the 12 was mine. Booked the card at lunch, paid in the evening, it arrived on Thursday. Runs at 62 °C under load in a small room.',
    ratings: 5,
  },
  {
    name: 'Jonas Lindqvist',
    review:
      'Two Paperwhites for the office. Same panel colour on both, no dead pixels, stands hold.',
    ratings: 5,
  },
  {
    name: 'Mei-Ling Chen',
    review:
      'They wrote "no cooler in the box" where I could see it, so I ordered one with the processor. I wish every shop did that.',
    ratings: 5,
  },
  {
    name: 'Rafael Monteiro',
    review:
      'Good board and everything on the spec list is there. The M.2 screw is tiny and there is no spare one in the bag, so mind your carpet.',
    ratings: 4,
  },
  {
    name: 'Priya Raghunathan',
    review:
      'Keystone 75 is solid and the knob is better than it needs to be. The space bar rattled a little until I added some lubricant.',
    ratings: 4,
  },
  {
    name: 'Tomasz Zieliński',
    review:
      'Fans are quiet and push enough air. Having to take five when I needed three is not for me, the last two sit in a drawer.',
    ratings: 3,
  },
  {
    name: 'Leilani Kahale',
    review:
      'The trackball came with a scuff on the ball and the replacement took nine days. It works well now, but I had to write twice.',
    ratings: 2,
  },
  { name: 'Youssef Benali', review: 'Ordered, paid, built, works.', ratings: 5 },
]
