/**
 * Validation time is proportional to the length of the text: no text keeps a validator busy for
 * seconds.
 */
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { ProfileUpdate } from '#contracts/account.ts'
import { AuditList } from '#contracts/audit.ts'
import { OrderList } from '#contracts/lists.ts'
import { Booking, PaymentReport, Phone, Shipment } from '#contracts/orders.ts'
import { NewPart } from '#contracts/parts.ts'
import { RefundRequest } from '#contracts/refunds.ts'
import { NewReview } from '#contracts/reviews.ts'
import { TimeZone } from '#contracts/shop-days.ts'
import { DisplayName, Email } from '#contracts/users.ts'
import { isKeyInAddress, sharedPages } from '#server/http/pages/page-addresses.ts'
import { mailTemplate } from '#server/mail/template.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

/**
 * Exponential backtracking shows at thirty characters, and would never end at a hundred thousand.
 */
const lengths = [...Array.from({ length: 9 }, (_, i) => 16 + 2 * i), 300, 3000, 100_000]
const bound = 50

const shapes: Record<string, (size: number) => string> = {
  letters: (size) => 'a'.repeat(size),
  spaces: (size) => ' '.repeat(size),
  'spaces within': (size) => `a${' '.repeat(size)}a`,
  dots: (size) => `a@${'a.'.repeat(size / 2)}`,
  'at signs': (size) => '@'.repeat(size),
  hyphens: (size) => `a@${'a-'.repeat(size / 2)}.co`,
  digits: (size) => `${'1'.repeat(size)}x`,
  brackets: (size) => '('.repeat(size),
  'a web address': (size) => `https://${'a.'.repeat(size / 2)}linkedin.com`,
  'two dots': (size) => `https://linkedin.com/${'../'.repeat(size / 3)}`,
  'combining marks': (size) => `a${'\u0301'.repeat(size)}`,
  'combining marks out of order': (size) =>
    `a${'\u0344'.repeat(size / 2)}${'\u0323'.repeat(size / 2)}`,
  slashes: (size) => `${'/'.repeat(size)}x`,
  'letters that grow': (size) => '\ufdfa'.repeat(size / 18),
  'name parts': (size) => "A. b'".repeat(size / 5),
}

type Check = (text: string) => unknown
const of =
  (contract: z.ZodType, field?: string): Check =>
  (text) =>
    contract.safeParse(field ? { [field]: text } : text)

const routes = {
  login: { id: 'login', path: 'login', module: { default: null, handle: { keyInAddress: true } } },
  rest: { id: 'rest', path: '*', module: { default: null, handle: { samePage: true } } },
} as unknown as Parameters<typeof sharedPages>[0]['routes']

const checks: Record<string, Check> = {
  Email: of(Email),
  DisplayName: of(DisplayName),
  Phone: of(Phone),
  'Booking.product': of(Booking, 'product'),
  'PaymentReport.transactionId': of(PaymentReport, 'transactionId'),
  'Shipment.carrier': of(Shipment, 'carrier'),
  'ProfileUpdate.linkedIn': of(ProfileUpdate, 'linkedIn'),
  'ProfileUpdate.location': of(ProfileUpdate, 'location'),
  'NewReview.review': of(NewReview, 'review'),
  'NewPart.image': of(NewPart, 'image'),
  'NewPart.name': of(NewPart, 'name'),
  'RefundRequest.reason': of(RefundRequest, 'reason'),
  'OrderList.q': of(OrderList, 'q'),
  'OrderList.from': of(OrderList, 'from'),
  TimeZone: (text) => TimeZone.safeParse(text),
  'AuditList.about': (text) => AuditList.safeParse({ about: `user:${text}` }),
  isKeyInAddress: (text) => isKeyInAddress({ routes }, `/${text}`),
  sharedPages: (text) => sharedPages({ routes })(`/${text}`, ''),
  mailTemplate: (name) =>
    mailTemplate({ subject: '', name, lines: [], action: { label: '', url: 'https://x.example' } }),
}

/** The best time of several runs in ms, to exclude garbage collection. */
async function needed(check: Check, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 20 && best >= bound / 10; i += 1)
    best = Math.min(best, await cpuTime(() => check(text)))
  return best
}

test.each(Object.keys(checks))(
  '%s judges 100,000 characters of anything within 50 ms',
  async (name) => {
    const check = checks[name] as Check
    const slow: string[] = []
    for (const [shape, make] of Object.entries(shapes)) {
      for (const length of lengths) {
        if ((await needed(check, make(length))) <= bound) continue
        slow.push(`${shape}: ${length} characters`)
        break
      }
    }
    expect(slow).toEqual([])
  },
)
