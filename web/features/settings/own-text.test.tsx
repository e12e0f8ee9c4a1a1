/** The owner's Markdown as pages show it: the elements and links of a page of text, and no others. */
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { sampleFacts } from '#contracts/settings.ts'
import { textPages } from '#contracts/texts.ts'
import { parseMarkdown } from '#server/features/settings/parse-markdown.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { ownSections } from '#web/content/own-text.tsx'
import type { Facts, Section } from '#web/content/text-page.ts'
import { textPageAt } from '#web/content/text-pages.ts'
import { sampleMarkdown } from './sample-markdown.ts'

const facts: Facts = {
  shop: sampleFacts,
  currency: 'USD',
  holdTime: '30 minutes',
  renewal: 'It starts anew.',
  expireDays: 7,
  delivers: false,
  sandbox: true,
  google: true,
  firebase: false,
}
const rendered = (sections: Section[]) =>
  renderToStaticMarkup(
    <MemoryRouter>
      {sections.map(({ heading, body }, i) => (
        <div key={i}>
          <p>{heading}</p>
          {body}
        </div>
      ))}
    </MemoryRouter>,
  )

test('the shop’s own text, taken over unchanged, says the same', () => {
  // a shop with another name: its About page has no story of that name
  const named = { ...facts, shop: { ...sampleFacts, name: 'Kiln' } }
  const words = (html: string) =>
    html
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ (?=[.,:;)])/g, '')
  for (const page of textPages) {
    const sample = textPageAt(`/${page}`)
    const own = ownSections(parseMarkdown(sampleMarkdown(sample, named)), named)
    expect(words(rendered(own)), page).toBe(words(rendered(sample.sections(named))))
  }
})

test('what a page of text has no form for stays as it was typed, and a short text stays short', () => {
  for (const typed of ['~~old~~', '| a | b |\n|---|---|', '> so', '---', '[a]: /b'])
    expect(rendered(ownSections(parseMarkdown(typed), facts))).toContain(
      typed.split('\n')[0]?.replaceAll('>', '&gt;') ?? '',
    )
  const reference = `[a]: /${'b'.repeat(9_000)}\n\n${'[a]'.repeat(3_600)}`
  expect(JSON.stringify(parseMarkdown(reference)).length).toBeLessThan(40_000)
  const link = `[${'*a*b'.repeat(2_500)}](/${'b'.repeat(9_900)})`
  const sections = parseMarkdown(link)
  expect(JSON.stringify(sections).length).toBeLessThan(400_000)
  expect(rendered(ownSections(sections, facts)).match(/<a /g)).toHaveLength(1)
  expect(JSON.stringify(parseMarkdown('a\n'.repeat(10_000))).length).toBeLessThan(21_000)
  // names in braces are filled in late
  const named = { ...facts, shop: { ...facts.shop, owner: '/evil.example' } }
  expect(rendered(ownSections(parseMarkdown('[x](/{owner})'), named))).not.toContain('<a ')
  expect(JSON.stringify(parseMarkdown('[x](/&#9;/evil.example)'))).not.toContain('"to"')
})

test('no text leaves the elements and links that pages of text have', () => {
  const scraps = [
    '<script>',
    '<img src=x onerror=a>',
    '](javascript:a)',
    '[a',
    '![',
    '](//e.example)',
  ]
  const marks = [
    '# ',
    '- ',
    '1. ',
    '> ',
    '**',
    '*',
    '_',
    '`',
    '```',
    '\n',
    '\n\n',
    '    ',
    '|',
    '---',
  ]
  const links = [
    '[a](data:text/html,x)',
    '<javascript:a>',
    '[a]: vbscript:x',
    '[a](/x "t")',
    '&#106;',
  ]
  const piece = fc.oneof(fc.constantFrom(...scraps, ...marks, ...links), fc.string())
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  const element =
    /^<\/?(?:div|p|h3|ul|ol|li|strong|em|code|dl|dt|dd|address|span|a)(?: class="[^"]*")?(?: href="(?:\/(?!\/)|#|https?:|mailto:|tel:)[^"]*")?(?: data-discover="true")?>$/i
  fc.assert(
    fc.property(texts, (text) => {
      for (const tag of rendered(ownSections(parseMarkdown(text), facts)).match(/<[^>]*>/g) ?? [])
        expect(tag).toMatch(element)
    }),
    { numRuns: atLength ? 10_000 : 1_000, seed },
  )
})
