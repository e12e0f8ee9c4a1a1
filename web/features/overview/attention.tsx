import { Link } from 'react-router'
import type { Overview } from '#contracts/overview.ts'
import { counted } from './text.ts'

/** Mail and money issues that need an admin; empty on a good day. */
export function Attention({ attention }: Pick<Overview, 'attention'>) {
  const { mailsGivenUp, disagreements } = attention
  const lines = [
    { count: mailsGivenUp, noun: 'mail', words: 'given up', to: '/dashboard/mail' },
    {
      count: disagreements,
      noun: 'disagreement',
      words: 'with the card provider',
      to: '/dashboard/money',
    },
  ].filter(({ count }) => count > 0)
  if (lines.length === 0) return null
  return (
    <ul
      aria-label="To be seen to"
      className="card flex flex-wrap gap-x-8 gap-y-2 border-edge px-6 py-3.5"
    >
      {lines.map(({ count, noun, words, to }) => (
        <li key={to}>
          <Link to={to} className="link">
            {counted(count, noun)}
          </Link>{' '}
          {words}
        </li>
      ))}
    </ul>
  )
}
