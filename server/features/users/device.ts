import type { SessionInfo } from '#contracts/account.ts'

type Device = Pick<SessionInfo, 'browser' | 'system' | 'handheld'>

/** First match counts: most browsers also name those that they want to be taken for. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const wordFor = (table: [RegExp, string][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** What a User-Agent header says, in words. Whatever it does not say is null: it is the client's word alone. */
export function deviceOf(userAgent: string | null): Device {
  // what a client sends is as long as it likes
  const text = (userAgent ?? '').slice(0, 500)
  return {
    browser: wordFor(browsers, text),
    system: wordFor(systems, text),
    handheld: /\b(iPhone|iPad|Android|Mobile)\b/.test(text),
  }
}
