/** Circuit traces around the hero's stage: the one ornament, on wide screens only. */
export function HeroArt() {
  return (
    <svg
      viewBox="0 0 620 560"
      preserveAspectRatio="xMaxYMid slice"
      className="pointer-events-none absolute inset-y-0 end-0 h-full w-1/2 max-lg:hidden"
      fill="none"
      stroke="#c9793f"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <g opacity="0.45">
        <path d="M40 44h210l36 36h334" />
        <path d="M40 80h164l56 56h360" opacity="0.6" />
        <path d="M620 552H330l-20-20H150" />
        <path d="M540 0v36l36 36v170" opacity="0.6" />
      </g>
      <g fill="#c9793f" stroke="none" opacity="0.75">
        <circle cx="40" cy="44" r="4" />
        <circle cx="40" cy="80" r="4" />
        <circle cx="150" cy="532" r="4" />
        <circle cx="576" cy="242" r="4" />
      </g>
    </svg>
  )
}
