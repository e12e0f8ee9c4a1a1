/** Tracking pages of well-known carriers. */

const tracked: [carrier: RegExp, address: (number: string) => string][] = [
  [/^ups\b/, (number) => `https://www.ups.com/track?tracknum=${number}`],
  [/^fed ?ex\b/, (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`],
  [/^usps\b/, (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`],
  [/^dhl\b/, (number) => `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${number}`],
  [/^dpd\b/, (number) => `https://tracking.dpd.de/status/en_US/parcel/${number}`],
  [/^gls\b/, (number) => `https://gls-group.com/track/${number}`],
  [
    /^royal mail\b/,
    (number) => `https://www.royalmail.com/track-your-item#/tracking-results/${number}`,
  ],
  [
    /^canada post\b/,
    (number) =>
      `https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=${number}`,
  ],
]

type Shipped = { carrier: string | null; trackingNumber: string | null }

/** The parcel's tracking page; null without a number, or for an unknown carrier. */
export function trackingUrl({ carrier, trackingNumber }: Shipped): string | null {
  const number = trackingNumber?.replaceAll(/[ -]/g, '') ?? ''
  if (!/^[A-Za-z0-9]{4,40}$/.test(number)) return null
  const name = carrier?.trim().toLowerCase() ?? ''
  return tracked.find(([known]) => known.test(name))?.[1](number) ?? null
}
