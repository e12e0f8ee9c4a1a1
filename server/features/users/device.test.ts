import { expect, test } from 'vitest'
import { deviceText } from '#contracts/account.ts'
import { deviceOf } from './sessions.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) '
const like = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'

test.each([
  [`${mac}605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15`, 'Safari on macOS', false],
  [`${windows}${like} Safari/537.36`, 'Chrome on Windows', false],
  [`${windows}${like} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows', false],
  [`${windows}${like} Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows', false],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox on Linux',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
    true,
  ],
  [`Mozilla/5.0 (Linux; Android 16; K) ${like} Mobile Safari/537.36`, 'Chrome on Android', true],
  ['curl/8.5.0', 'curl', false],
  ['', 'Unknown browser', false],
])('%s is %s', (userAgent, words, handheld) => {
  const device = deviceOf(userAgent)
  expect(deviceText(device)).toBe(words)
  expect(device.handheld).toBe(handheld)
})

test('nothing that a client sends is shown on the screen', () => {
  expect(deviceText(deviceOf(`${'Version/1 '.repeat(100_000)}<b>`))).toBe('Unknown browser')
})
