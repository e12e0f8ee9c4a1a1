/**
 * Where the first characters of a postcode are, in countries whose taxes differ by state: an
 * address whose state contradicts its postcode would be delivered there and taxed elsewhere.
 */

/**
 * The first three digits of ZIP codes by state (USPS, Labeling List L002), from and to. Wider where
 * states share a prefix: it shows contradictions, and decides none.
 */
const zipCodes: Record<string, string> = {
  ...{ AL: '350-369', AK: '995-999', AZ: '850-865', AR: '716-729 755', CA: '900-961' },
  ...{ CO: '800-816', CT: '060-069', DE: '197-199', DC: '200-205 569', FL: '320-349' },
  ...{ GA: '300-319 398-399', HI: '967-968', ID: '832-838', IL: '600-629', IN: '460-479' },
  ...{ IA: '500-528', KS: '660-679', KY: '400-427', LA: '700-714', ME: '039-049' },
  ...{ MD: '206-219', MA: '010-027 055', MI: '480-499', MN: '550-567', MS: '386-397' },
  ...{ MO: '630-658', MT: '590-599', NE: '680-693', NV: '889-898', NH: '030-038' },
  ...{ NJ: '070-089', NM: '870-884', NY: '005 063 100-149', NC: '270-289', ND: '580-588' },
  ...{ OH: '430-459', OK: '730-749', OR: '970-979', PA: '150-196', RI: '028-029' },
  ...{ SC: '290-299', SD: '570-577', TN: '370-385', TX: '733 750-799 885', UT: '840-847' },
  ...{ VT: '050-059', VA: '201 220-246', WA: '980-994', WV: '247-268', WI: '530-549' },
  ...{ AA: '340', AE: '090-098', AP: '962-966', PW: '969', FM: '969', MH: '969' },
  ...{ WY: '820-831 834', PR: '006-009', VI: '008', GU: '969', MP: '969', AS: '967' },
}

/** The first letter of postal codes by province (Canada Post). */
const postalCodes: Record<string, string> = {
  ...{ NL: 'A', NS: 'B', PE: 'C', NB: 'E', QC: 'GHJ', ON: 'KLMNP', MB: 'R', SK: 'S' },
  ...{ AB: 'T', BC: 'V', NT: 'X', NU: 'X', YT: 'Y' },
}

const isWithin = (prefix: string, ranges: string) =>
  ranges.split(' ').some((range) => {
    const [from = '', to = from] = range.split('-')
    return prefix >= from && prefix <= to
  })

/** Whether a postcode can be in a region, as far as this knows. @param region a code of ISO 3166-2 */
export function isPostcodeIn(postcode: string, region: string): boolean {
  const [country, state = ''] = region.split('-')
  if (country === 'US') {
    // no parcel goes to a region without ZIP codes, and no tax is due there
    return state === '' || isWithin(postcode.slice(0, 3), zipCodes[state] ?? '')
  }
  if (country === 'CA') return postalCodes[state]?.includes(postcode.slice(0, 1)) ?? state === ''
  return true
}
