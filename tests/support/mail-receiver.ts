/** A mail server that counts how often each mail arrives. */
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type MailReceiver = {
  url: string
  /** How often each mail came, by the id that the shop gave it. */
  arrived: Map<string, number>
  close(): Promise<void>
}

/** @param port by default a free one */
export async function receiveMail(port = 0): Promise<MailReceiver> {
  const arrived = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      text(stream).then((raw) => {
        const id = /^Message-ID: <(.+)@ferrite>/im.exec(raw)?.[1] ?? 'no id'
        arrived.set(id, (arrived.get(id) ?? 0) + 1)
        done()
      }, done)
    },
  })
  // a sender that dies is what this is for
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const listening = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${listening.port}`,
    arrived,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
