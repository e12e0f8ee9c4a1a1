/** The Ferrite mark: a ring core with five copper windings. */
export function Mark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <circle cx="16" cy="16" r="9.25" fill="none" stroke="currentColor" strokeWidth="8.5" />
      <g stroke="#d9773b" strokeWidth="2.6" strokeLinecap="round">
        <path d="M16 11.5V2" />
        <path d="M12.8 12.8 6.1 6.1" />
        <path d="M11.5 16H2" />
        <path d="M12.8 19.2 6.1 25.9" />
        <path d="M16 20.5V30" />
      </g>
    </svg>
  )
}
