/** Converts suppliers' descriptions from HTML to the plain text that the shop stores. */
import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'

const isHtml = /<\/?[a-z][^<>]{0,1000}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,7});/i

/** Puts the content on separate lines. */
const ownLines: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}
const entry: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  builder.addInline('- ')
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}
/** Separates the cells of a table with blanks. */
const cell: FormatCallback = (element, walk, builder) => {
  builder.addInline(' ')
  walk(element.children, builder)
  builder.addInline(' ')
}

const options: HtmlToTextOptions = {
  wordwrap: false,
  // no real description is nested more deeply
  limits: { maxDepth: 50, ellipsis: '' },
  formatters: { ownLines, entry, cell },
  selectors: [
    ...['div', 'p', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr', 'table'].map(
      (selector) => ({ selector, format: 'ownLines' }),
    ),
    { selector: 'li', format: 'entry' },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    { selector: 'a', format: 'inline' },
    ...['img', 'script', 'style', 'hr'].map((selector) => ({ selector, format: 'skip' })),
  ],
}

/**
 * Converts HTML to text, with a line for each paragraph and a dash before each list entry. Text
 * without HTML stays unchanged.
 */
export function plainText(text: string): string {
  if (!isHtml.test(text)) return text
  return convert(text, options)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && line !== '-')
    .join('\n')
    .toWellFormed()
}

/** Shortens a text to at most `max` characters, at the end of a word. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), max / 2))
  // PostgreSQL cannot store half of a surrogate pair
  return `${words.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`
}
