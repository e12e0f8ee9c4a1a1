import { expect, test } from 'vitest'
import { whyFound } from './why-found.ts'

const visibleTexts = ['Cinder RX 7800', 'ada@example.com']
const hiddenTexts = { 'transaction id': 'pi_3Qzzzz', description: null }

test.each([
  ['', null],
  ['cinder ADA@example.com', null],
  ['cinder zzzz', 'Found in transaction id: pi_3Qzzzz'],
  ['cindre', 'Similar to “cindre”'],
])('what %j is found by', (q, why) => {
  expect(whyFound(q, visibleTexts, hiddenTexts)).toBe(why)
})

test('of a long text only the words around the hit are shown', () => {
  const description = `${'Quiet and cool. '.repeat(5)}An SSD for hot rooms. ${'Five years. '.repeat(9)}`
  const why = whyFound('ssd', visibleTexts, { description }) ?? ''
  expect(why).toMatch(/^Found in description: ….*SSD for hot rooms\..*…$/)
  expect(why.length).toBeLessThan(120)
})
