/** The document of the API and the page about it. That answers are as it says, every test checks that asks a shop. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiDocument } from '#server/http/api-document.ts'
import { describedCalls } from '#tests/support/api-document.ts'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let document: ApiDocument

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  document = (await call(shop.origin, 'GET', '/api/openapi.json')).body
})
afterAll(() => shop.close())

test('is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true })
})

test('is sent once to who has it', async () => {
  const path = '/api/openapi.json'
  const { headers } = await call(shop.origin, 'HEAD', path)
  const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  expect((await call(shop.origin, 'GET', path, again)).status).toBe(304)
})

test('its page shows every call and object, needs no script, and no link in it leads nowhere', async () => {
  const { body, headers } = await call(shop.origin, 'GET', '/api/docs')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
  expect(body).not.toMatch(/<script|<style|style=|undefined|\[object/)
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...body.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter((id) => !ids.has(id))).toEqual([])
  const calls = describedCalls(document).map(({ operationId }) => operationId)
  expect(calls.filter((id) => !ids.has(id))).toEqual([])
  expect((await call(shop.origin, 'GET', '/api/docs.css')).status).toBe(200)
})
