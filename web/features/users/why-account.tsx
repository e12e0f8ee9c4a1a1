import { holdText } from '#contracts/shop.ts'

const turns = 26
/** The angle between the two leads in degrees, on the lower left. */
const gap = 56

const windings = Array.from({ length: turns }, (_, index) => {
  const angle = ((135 + gap / 2 + (index * (360 - gap)) / (turns - 1)) * Math.PI) / 180
  const at = (radius: number) =>
    `${(200 + radius * Math.cos(angle)).toFixed(1)} ${(200 + radius * Math.sin(angle)).toFixed(1)}`
  return `M${at(68)}L${at(172)}`
}).join('')

/** A ring core as a technical drawing: graphite, copper winding, two leads. For graphite panels. */
function Illustration({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 400 400" className={className} fill="none" aria-hidden="true">
      <circle cx="200" cy="200" r="120" stroke="#343a3f" strokeWidth="84" />
      <circle cx="200" cy="200" r="120" stroke="#40474d" strokeWidth="52" />
      <circle cx="200" cy="200" r="162" stroke="#4b5359" strokeWidth="1.5" />
      <circle cx="200" cy="200" r="78" stroke="#4b5359" strokeWidth="1.5" />
      <path d={windings} stroke="#a9592a" strokeWidth="11" strokeLinecap="round" />
      <path d={windings} stroke="#d9773b" strokeWidth="6" strokeLinecap="round" />
      <g stroke="#d9773b" strokeWidth="4" strokeLinecap="round" strokeLinejoin="round">
        <path d="M35.5 250.3 24 262H-1200" />
        <path d="M149.7 364.5 140 376H118L42 300H-1200" />
      </g>
    </svg>
  )
}

const facts = (holdMinutes: number) => [
  ['Book', 'Your parts are set aside for you the moment you book.'],
  ['Pay', `By card. We hold your parts for at least ${holdText(holdMinutes)} while you do.`],
  ['Follow', 'Unpaid, paid, shipped: My orders shows where things stand.'],
]

/** The graphite panel beside the form on wide screens: the benefits of an account. */
export function WhyAccount({ holdMinutes }: { holdMinutes: number }) {
  return (
    <aside
      // high enough for the drawing above the facts, even beside a short card
      className="relative hidden min-h-164 flex-col overflow-hidden rounded-hero border border-graphite-edge bg-graphite p-10 text-on-graphite lg:flex"
      aria-label="Why have an account?"
    >
      <Illustration className="absolute end-0 top-0 w-[clamp(15rem,26vw,23.5rem)] translate-x-[19%] -translate-y-[23%] overflow-visible" />
      <p className="font-mono text-sm text-on-graphite-copper">Why have an account?</p>
      <dl className="mt-auto grid gap-5">
        {facts(holdMinutes).map(([title, text], index) => (
          <div key={title} className="relative border-white/18 border-t pt-5">
            <dt className="font-display text-2xl font-bold tracking-tight">
              <span className="me-3 font-mono text-sm font-normal text-on-graphite-copper">
                {index + 1}
              </span>
              {title}
            </dt>
            <dd className="mt-1 max-w-[36ch] text-[#c9c9c6]">{text}</dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
