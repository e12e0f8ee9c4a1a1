import type { SessionInfo } from '#contracts/account.ts'

type Device = Pick<SessionInfo, 'browser' | 'system' | 'handheld'>

/** The first match counts: most browsers also name those they imitate. */
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

/** Reads browser and system from a User-Agent header; null where it names none. */
export function deviceOf(userAgent: string | null): Device {
  // a client may send any length
  const text = (userAgent ?? '').slice(0, 500)
  return {
    browser: wordFor(browsers, text),
    system: wordFor(systems, text),
    handheld: /\b(iPhone|iPad|Android|Mobile)\b/.test(text),
  }
}
