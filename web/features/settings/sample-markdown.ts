/** Writes the shop's own texts as Markdown, for owners who begin with them. */
import { Fragment, isValidElement, type ReactNode } from 'react'
import { ContactDetails } from '#web/content/contact-details.tsx'
import type { Facts, TextPage } from '#web/content/text-page.ts'

const childrenOf = (node: unknown) =>
  markdownOf((node as { children?: ReactNode }).children ?? null)

/** How each element of the texts is written. */
const written: Record<string, (inner: string, props: Record<string, unknown>) => string> = {
  p: (inner) => `${inner.trim()}\n\n`,
  ul: (inner) => `${inner}\n`,
  li: (inner) => `- ${inner.trim()}\n`,
  strong: (inner) => `**${inner}**`,
  code: (inner) => `\`${inner.replaceAll('\\', '')}\``,
  a: (inner, { href }) => `[${inner}](${href})`,
}

/** @throws Error for an element that no text has had yet */
function markdownOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(markdownOf).join('')
  if (typeof node === 'string' || typeof node === 'number')
    return String(node).replaceAll(/[\\*_[\]<>`]/g, String.raw`\$&`)
  if (!isValidElement<Record<string, unknown>>(node)) return ''
  if (node.type === ContactDetails) return '{contact details}\n\n'
  const inner = childrenOf(node.props)
  if (node.type === Fragment) return inner
  const write = written[String(node.type)]
  if (!write) throw new Error(`no Markdown for ${String(node.type)}`)
  return write(inner, node.props)
}

/** The shop's own text of a page, with names in braces for what the settings say. */
export function sampleMarkdown(page: Pick<TextPage, 'sections'>, facts: Facts): string {
  const named = {
    ...facts,
    shop: {
      ...facts.shop,
      name: '{shop name}',
      owner: '{owner}',
      email: '{e-mail}',
      phone: '{phone}',
    },
    currency: '{currency}',
    holdTime: '{hold time}',
    renewal: '{hold renewal}',
    // the texts only show it
    expireDays: '{days unpaid}' as unknown as number,
  }
  return page
    .sections(named)
    .map(({ heading, body }) => `## ${heading}\n\n${markdownOf(body)}`.trim())
    .join('\n\n')
}
