/**
 * A shop whose providers refuse its keys still starts, and reports this in the table that it
 * prints.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { imgbbServer } from '#tests/support/servers/imgbb-server.ts'
import { startShop } from '#tests/support/shop-process.ts'

test('the table tells which provider refuses, and why; then which takes them', async () => {
  const pictures = await imgbbServer()
  const mail = new SMTPServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _, done) =>
      done(password === 'right' ? null : new Error('wrong'), { user: 'shop' }),
  }).on('error', () => {})
  mail.listen(0, '127.0.0.1')
  await once(mail.server, 'listening')
  const host = `127.0.0.1:${(mail.server.address() as AddressInfo).port}`
  const settings = (password: string, key: string) => ({
    ...pictures.settings,
    IMGBB_API_KEY: key,
    SMTP_URL: `smtp://shop:${password}@${host}`,
    MAIL_FROM: 'shop@shop.example',
  })
  const shop = await startShop(settings('not-this-one', 'nor-this-one'))
  try {
    const said = shop.output()
    expect(said).toMatch(/^ {2}pictures +imgbb +http:\S+ {2}REFUSES THE KEY OF THE SHOP$/m)
    expect(said).toMatch(/^ {2}mail +SMTP +\S+ {2}REFUSES THE KEY OF THE SHOP$/m)
    expect(said).toMatch(/^ {2}Pictures: http:\S+ answers 400 Invalid API v1 key\.$/m)
    expect(said).toMatch(
      /^ {2}Mail: The mail server \S+ refuses the user or password of the shop \(SMTP_URL\)/m,
    )
    // the log may come after the table
    for (const event of ['picture_key_refused', 'mail_key_refused'])
      await expect.poll(() => shop.output()).toContain(`"msg":"${event}"`)
    expect(shop.output()).not.toMatch(/not-this-one|nor-this-one/)
    await shop.end('SIGTERM')
    const again = await startShop(settings('right', pictures.key), shop.dataDir)
    expect(again.output()).toMatch(/^ {2}pictures +imgbb .* takes the key of the shop$/m)
    expect(again.output()).toMatch(/^ {2}mail +SMTP .* takes the key of the shop$/m)
    await again.end('SIGTERM')
  } finally {
    await shop.remove()
    await pictures.close()
    await new Promise<void>((resolve) => mail.close(resolve))
  }
})
