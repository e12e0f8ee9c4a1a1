import type { Fit } from '#contracts/part-lists.ts'

type Level = Fit['level']

/** How each level looks: its sign, its colour, and what comes before the verdict's words. */
const looks: Record<Level, { sign: string; colour: string; says: string }> = {
  fits: { sign: 'M5 12.5l4.5 4.5L19 7', colour: 'text-green', says: '' },
  tight: { sign: 'M5 12.5l4.5 4.5L19 7', colour: 'text-green', says: 'Tight: ' },
  note: { sign: 'M12 11v6M12 7.2v.1', colour: 'text-dim', says: '' },
  unknown: {
    sign: 'M9 9.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2.9-1.2 1.8v.5M12 17.4v.1',
    colour: 'text-dim',
    says: '',
  },
  warning: { sign: 'M12 7v6M12 16.8v.1', colour: 'text-amber', says: '' },
  problem: { sign: 'M7 7l10 10M17 7L7 17', colour: 'text-danger', says: 'Does not fit: ' },
}

/** A verdict of fit in words, with a sign that repeats its colour. */
export function FitMark({ level, text, className = '' }: Fit & { className?: string }) {
  const { sign, colour, says } = looks[level]
  return (
    <p className={`flex gap-2 text-sm ${className}`}>
      <svg
        viewBox="0 0 24 24"
        className={`size-5 shrink-0 ${colour}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={sign} />
      </svg>
      <span className="min-w-0 break-words">
        {says}
        {text}
      </span>
    </p>
  )
}
