/** Reads the owner's Markdown into what pages can show: data, never HTML. */
import MarkdownIt, { type Token } from 'markdown-it'
import type { Block, Line, Run, TextSection } from '#contracts/texts.ts'
import { AppError } from '#server/errors.ts'

// nothing else: what a page of text has no form for stays as it was typed, and a short text with
// references to a long one would become a page of megabytes
const markdown = new MarkdownIt('zero', { maxNesting: 100 }).enable([
  'heading',
  'list',
  'emphasis',
  'link',
  'backticks',
  'escape',
  'entity',
  'newline',
])

// as typed: names in braces are filled in on the page
markdown.normalizeLink = (to) => to
// to pages of the shop, to other sites, to mail and telephone
markdown.validateLink = (to) => /^(?:\/(?![/\\])|#|https?:\/\/|mailto:|tel:)\P{Cc}*$/iu.test(to)

const isSameStyle = (one: Run, other: Run) =>
  one.strong === other.strong && one.emphasis === other.emphasis && one.code === other.code

/** Splits a line where its setting changes. */
function lineOf(tokens: Token[]): Line {
  const line: Line = []
  let runs = line
  const style = { strong: 0, emphasis: 0 }
  const add = (text: string, isCode = false) => {
    if (text === '') return
    const run: Run = {
      text,
      ...(style.strong > 0 && { strong: true }),
      ...(style.emphasis > 0 && { emphasis: true }),
      ...(isCode && { code: true }),
    }
    const last = runs.at(-1)
    if (last && 'text' in last && isSameStyle(last, run)) last.text += text
    else runs.push(run)
  }
  const readers: Record<string, (token: Token) => void> = {
    strong_open() {
      style.strong += 1
    },
    strong_close() {
      style.strong -= 1
    },
    em_open() {
      style.emphasis += 1
    },
    em_close() {
      style.emphasis -= 1
    },
    // links do not nest
    link_open(token) {
      const link = { to: String(token.attrGet('href') ?? ''), runs: [] }
      line.push(link)
      runs = link.runs
    },
    link_close() {
      runs = line
    },
    code_inline: ({ content }) => add(content, true),
    softbreak: () => add(' '),
    hardbreak: () => add('\n'),
  }
  for (const token of tokens) (readers[token.type] ?? (({ content }: Token) => add(content)))(token)
  return line
}

/** Its words alone. */
const textOf = (line: Line): string =>
  line.map((piece) => ('to' in piece ? textOf(piece.runs) : piece.text)).join('')

/**
 * Reads a text. Headings of the first two levels begin a section; lists within lists become one
 * list; what a page of text has no form for stays as it was typed.
 */
export function parseMarkdown(text: string): TextSection[] {
  const sections: TextSection[] = []
  const add = (block: Block) => {
    if (sections.length === 0) sections.push({ heading: '', blocks: [] })
    sections.at(-1)?.blocks.push(block)
  }
  let list: Extract<Block, { type: 'list' }> | null = null
  let depth = 0
  let isNewItem = false
  let level: number | null = null
  for (const token of markdown.parse(text, {})) {
    const { type, tag } = token
    if (type === 'heading_open') level = Number(tag.slice(1))
    if (type === 'bullet_list_open' || type === 'ordered_list_open') {
      depth += 1
      list ??= { type: 'list', ordered: type === 'ordered_list_open', items: [] }
    }
    if (type === 'list_item_open') isNewItem = true
    if (type === 'bullet_list_close' || type === 'ordered_list_close') {
      depth -= 1
      if (depth === 0 && list) {
        add(list)
        list = null
      }
    }
    if (type !== 'inline') continue
    const line = lineOf(token.children ?? [])
    if (list && isNewItem) list.items.push(line)
    else if (list) list.items.at(-1)?.push({ text: '\n' }, ...line)
    else if (level !== null && level <= 2) sections.push({ heading: textOf(line), blocks: [] })
    else add({ type: level === null ? 'paragraph' : 'heading', line })
    isNewItem = false
    level = null
  }
  return sections
}

/** The most headings, paragraphs and list items of a text: each is an element of its page. */
export const mostBlocks = 500

/** Reads a text that is to be saved or shown. @throws AppError INVALID with too many blocks */
export function checkMarkdown(text: string): TextSection[] {
  const sections = parseMarkdown(text)
  const blocks = sections.reduce(
    (sum, section) =>
      section.blocks.reduce(
        (all, block) => all + (block.type === 'list' ? block.items.length : 1),
        sum + 1,
      ),
    0,
  )
  if (blocks <= mostBlocks) return sections
  const problem = `The text can have ${mostBlocks} headings, paragraphs and list items at most, not ${blocks}`
  throw new AppError('INVALID', problem, { text: problem })
}
