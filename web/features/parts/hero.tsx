import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { dollars } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { Picture } from '#web/components/picture.tsx'
import { partsQuery } from './queries.ts'
import { onStage } from './stock.ts'
import { Traces } from './traces.tsx'

/** A part on the hero's stage, with its figures as they are now. */
function OnStage({ part }: { part: Part }) {
  return (
    <Link to={`/purchase/${part._id}`} className="stage group">
      <Picture
        src={part.image}
        alt={`${part.name}, ${part.kind}`}
        sizes="(width >= 64rem) 560px, 90vw"
        priority
      />
      <span className="flex flex-wrap justify-center gap-x-8 gap-y-1 font-mono text-sm text-[#b9bcbe]">
        <span className="text-[#f1ede6] group-hover:text-[#e8935a]">{part.name}</span>
        <span>{dollars(part.price)}</span>
        <span>{part.availableQuantity} available</span>
      </span>
    </Link>
  )
}

/** The graphite panel at the top: the shop's promise, and the first part that can be booked. */
export function Hero({ initial, holdMinutes }: { initial?: Part[]; holdMinutes: number }) {
  const { data } = useQuery({ ...partsQuery, initialData: initial })
  const shown = data && onStage(data)
  return (
    <section aria-labelledby="hero-title" className="column pt-2">
      <div className="hero">
        <Traces />
        <div className="relative z-10 self-center">
          <p className="font-mono text-sm text-[#e8935a]">Held while you pay</p>
          <h1
            id="hero-title"
            className="mt-5 text-5xl leading-[1.02] font-bold tracking-[-0.03em] sm:text-6xl xl:text-[5.25rem]"
          >
            Parts that <br />
            stay honest.
          </h1>
          <p className="mt-6 max-w-[42ch] text-lg text-[#c9c9c6]">
            What we say is in stock is in stock. Book it, and it is yours for {holdMinutes} minutes
            while you pay.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <a href="#parts" className="button hero-primary">
              See the parts
            </a>
            <a href="#booking" className="button hero-quiet">
              How booking works
            </a>
          </div>
        </div>
        <div className="relative z-10 min-h-64 self-center">
          {shown && <OnStage part={shown} />}
        </div>
      </div>
    </section>
  )
}
