import jsBarcode from 'jsbarcode'

/** The bars of a text as Code 128: a character each, 1 is black. */
function barsOf(text: string): string {
  const target: { encodings?: { data: string }[] } = {}
  jsBarcode(target, text, { format: 'CODE128' })
  return target.encodings?.[0]?.data ?? ''
}

/** Scanners need white for ten bars on both sides. */
const quiet = 10

/** A bar code for scanners. */
export function BarCode({ text }: { text: string }) {
  const bars = barsOf(text)
  const black = [...bars.matchAll(/1+/g)].map(
    ({ index, 0: { length } }) => `M${quiet + index} 0h${length}v1h-${length}z`,
  )
  return (
    <svg
      className="bar-code"
      role="img"
      aria-label={`Bar code of ${text}`}
      viewBox={`0 0 ${bars.length + 2 * quiet} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
    >
      <path d={black.join('')} />
    </svg>
  )
}
