/** Circuit traces behind the hero: the one ornament. */
export function Traces() {
  return (
    <svg
      viewBox="0 0 1240 560"
      preserveAspectRatio="xMaxYMid slice"
      className="pointer-events-none absolute inset-0 size-full"
      fill="none"
      stroke="#c9793f"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <g opacity="0.42">
        <path d="M620 72h230l40 40h350" />
        <path d="M620 112h190l64 64h366" opacity="0.6" />
        <path d="M1240 488H930l-44-44H690" />
        <path d="M1240 524H790l-36-36h-94" opacity="0.6" />
        <path d="M1160 0v52l36 36v150" opacity="0.6" />
      </g>
      <g fill="#c9793f" stroke="none" opacity="0.7">
        <circle cx="620" cy="72" r="4" />
        <circle cx="620" cy="112" r="4" />
        <circle cx="690" cy="444" r="4" />
        <circle cx="660" cy="488" r="4" />
        <circle cx="1196" cy="238" r="4" />
      </g>
    </svg>
  )
}
