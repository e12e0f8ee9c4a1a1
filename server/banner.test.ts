import { expect, test, vi } from 'vitest'
import { type BannerFacts, printBanner } from './banner.ts'
import { readSettings } from './env.ts'

test('the table at the start says for each provider whether it accepts the shop’s key', () => {
  const facts: BannerFacts = {
    settings: { ...readSettings({}), IMAGES: 's3', SMTP_URL: 'smtp://mail.example' },
    publicUrl: 'https://shop.example',
    databaseFolder: null,
    sandbox: false,
    images: { name: 'S3', where: 's3.example' },
    google: null,
    firebase: { projectId: 'a-shop', authDomain: 'a-shop.example', apiKey: 'k', emulator: null },
    mailbox: null,
    sandboxToken: '',
    tried: [],
    demoOwner: null,
    notes: [],
    ms: 1,
  }
  const lines: string[] = []
  const print = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
  const table = (tried: BannerFacts['tried']) => {
    lines.length = 0
    printBanner({ ...facts, tried })
    return lines.join('\n')
  }
  try {
    for (const [name, row] of [
      ['payments', 'payments +Stripe +api.stripe.com'],
      ['sign_in', 'sign-in +Firebase +a-shop'],
      ['pictures', 'pictures +S3 +s3.example'],
      ['mail', 'mail +SMTP +mail.example'],
    ] as const) {
      const told = { name, sentence: 'Why.' }
      expect(table([])).toMatch(new RegExp(`${row}$`, 'm'))
      expect(table([{ ...told, state: 'accepted' }])).toMatch(
        new RegExp(`${row} {2}takes the key of the shop$`, 'm'),
      )
      expect(table([{ ...told, state: 'refused' }])).toMatch(
        new RegExp(`${row} {2}REFUSES THE KEY OF THE SHOP$`, 'm'),
      )
    }
  } finally {
    print.mockRestore()
  }
})
