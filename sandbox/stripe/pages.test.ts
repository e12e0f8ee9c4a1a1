import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStripeSandbox, type StripeSandbox } from '#tests/support/stripe-sandbox.ts'

let sandbox: StripeSandbox
beforeAll(async () => {
  sandbox = await openStripeSandbox({ controls: false })
})
afterAll(() => sandbox.close())

const get = (path: string) => fetch(`${sandbox.base}${path}`)

describe.each([
  ['the card frame', '/frame', 'frame'],
  ['the authentication frame', '/3ds?source=src_none', '3ds'],
])('%s', (_name, path, file) => {
  test('has no origin of its own, only its own files, and only the shop around it', async () => {
    const answer = await get(path)
    const policy = answer.headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      'sandbox allow-scripts allow-forms',
      "default-src 'none'",
      `script-src ${sandbox.base}/${file}.js`,
      `style-src ${sandbox.base}/${file}.css`,
      `connect-src ${sandbox.base}/`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ])
    expect(await answer.text()).not.toMatch(/<script>|<style|style=|\son[a-z]+=/)
  })
})

test('the card frame has labelled fields that browsers can fill in', async () => {
  const page = await (await get('/frame')).text()
  for (const [name, autocomplete] of [
    ['cardnumber', 'cc-number'],
    ['exp-date', 'cc-exp'],
    ['cvc', 'cc-csc'],
    ['postal', 'postal-code'],
  ]) {
    expect(page).toMatch(new RegExp(`name="${name}" autocomplete="${autocomplete}" aria-label="`))
  }
})

test.each(['/stripe.js', '/frame.js', '/3ds.js'])('%s is one script that parses', async (path) => {
  const answer = await get(path)
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  const script = await answer.text()
  expect(script).not.toMatch(/^(import|export) /m)
  expect(() => new Function(script)).not.toThrow()
  const again = await fetch(`${sandbox.base}${path}`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  expect(again.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test('test controls do not exist unless they are asked for', async () => {
  for (const path of ['/webhooks', '/fail-next']) {
    const answer = await fetch(`${sandbox.base}/_sandbox${path}`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(404)
  }
  expect((await get('/_sandbox/deliveries')).status).toBe(404)
})
