import { Illustration } from './illustration.tsx'

const facts = (holdMinutes: number) => [
  ['Book', 'The stock is set aside the moment you book it, for you alone.'],
  ['Pay', `By card, within ${holdMinutes} minutes; after that the parts go back.`],
  ['Follow', 'Unpaid, paid, shipped: My orders says how things stand.'],
]

/** The graphite panel beside the form on wide screens: what an account is good for. */
export function WhyAccount({ holdMinutes }: { holdMinutes: number }) {
  return (
    <aside className="why-account" aria-label="What an account is for">
      <Illustration className="why-account-core" />
      <p className="font-mono text-sm text-on-graphite-copper">What an account is for</p>
      <dl className="mt-auto grid gap-5">
        {facts(holdMinutes).map(([title, text], index) => (
          <div key={title} className="why-account-fact">
            <dt className="font-display text-2xl font-bold tracking-tight">
              <span className="me-3 font-mono text-sm font-normal text-on-graphite-copper">
                {index + 1}
              </span>
              {title}
            </dt>
            <dd className="mt-1 max-w-[38ch] text-[#c9c9c6]">{text}</dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
