/** Descriptions as suppliers send them, in HTML, as the text that the shop keeps. */

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  reg: '®',
  trade: '™',
  copy: '©',
  deg: '°',
  micro: 'µ',
  times: '×',
  bull: '•',
  middot: '·',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  euro: '€',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  frac12: '½',
}

const isHtml = /<\/?[a-z][^<>]{0,1000}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,7});/i

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi,
    (all, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name) return named[name] ?? named[name.toLowerCase()] ?? all
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : ''
    },
  )
}

/** HTML as text: a line for each paragraph, a dash before each entry of a list. Text without HTML stays as it is. */
export function plainText(text: string): string {
  if (!isHtml.test(text)) return text
  const plain = text
    .replaceAll(/<(script|style)\b[^<>]*>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1\s*>/gi, ' ')
    .replaceAll(/<!--[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<li\b[^<>]*>/gi, '\n- ')
    .replaceAll(/<(?:br|\/?p|\/?div|\/?ul|\/?ol|\/?h\d|\/?tr|\/?table|\/li)\b[^<>]*>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
  return decoded(plain)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && line !== '-')
    .join('\n')
}

/** A text of at most `max` characters, cut at a word. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  return `${cut.slice(0, Math.max(cut.search(/\s\S*$/), max / 2)).trimEnd()}…`
}
