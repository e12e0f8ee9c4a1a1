/** A way to the database that can be cut and restored, and that sees every statement on it. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One statement at one of two moments: before the database hears of it, and when it has answered. */
export type Passing = { text: string; moment: 'asked' | 'answered' }

export type DatabaseWay = {
  url: string
  cut(): void
  restore(): void
  /** How many connections found it cut. */
  refusals(): number
  /** Nothing comes through and nothing breaks, as when a machine on the way hangs, until `thaw`. */
  freeze(): void
  thaw(): void
  /** Looks at each statement from now on. One that it answers true for goes no further: the way is cut there. */
  watch(stops: ((passing: Passing) => boolean) | null): void
  close(): void
}

/**
 * Takes whole messages of PostgreSQL's protocol out of what arrives. A type byte, a length, a body; only the first message
 * of a client has no type.
 */
function messages(each: (type: string, body: Buffer) => void, hasHead = true) {
  let rest: Buffer = Buffer.alloc(0)
  let typed = hasHead
  return (chunk: Buffer) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    for (;;) {
      const head = typed ? 1 : 0
      if (rest.length < head + 4) return
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return
      each(typed ? String.fromCharCode(rest[0] as number) : '', rest.subarray(head + 4, end))
      typed = true
      rest = rest.subarray(end)
    }
  }
}

const textAt = (body: Buffer, from: number) => body.toString('utf8', from, body.indexOf(0, from))

/** What the messages of one client ask for: statements as they come, and prepared ones each time they are bound. */
function statements() {
  const prepared = new Map<string, string>()
  return (type: string, body: Buffer): string | null => {
    if (type === 'Q') return textAt(body, 0)
    if (type === 'B') return prepared.get(textAt(body, body.indexOf(0) + 1)) ?? null
    if (type !== 'P') return null
    const name = textAt(body, 0)
    const text = textAt(body, body.indexOf(0) + 1)
    if (name) prepared.set(name, text)
    return name ? null : text
  }
}

/** Opens a way to a database. @param url where the database is */
export async function databaseWay(url: string): Promise<DatabaseWay> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let isCut = false
  let refusals = 0
  let isFrozen = false
  let stops: ((passing: Passing) => boolean) | null = null
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  /** @returns whether it may pass */
  const passes = (passing: Passing) => {
    if (!stops?.(passing)) return true
    cut()
    return false
  }

  function join(near: Socket, far: Socket): void {
    // several may leave before the first is answered; answers come in their order
    const pendingStatements: string[] = []
    let mayPass = true
    const statementIn = statements()
    const hear = messages((type, body) => {
      const text = statementIn(type, body)
      if (text === null) return
      pendingStatements.push(text)
      mayPass &&= passes({ text, moment: 'asked' })
    }, false)
    const answer = messages((type) => {
      const text = type === 'Z' ? pendingStatements.shift() : undefined
      if (text === undefined) return
      mayPass &&= passes({ text, moment: 'answered' })
    })
    near.on('data', (chunk) => {
      hear(chunk)
      if (mayPass) far.write(chunk)
    })
    far.on('data', (chunk) => {
      answer(chunk)
      if (mayPass) near.write(chunk)
    })
  }

  const server = createServer((near) => {
    if (isCut) {
      refusals += 1
      return near.destroy()
    }
    if (isFrozen) near.pause()
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      open.add(socket)
      socket.on('error', () => {}).on('end', () => other.end())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    join(near, far)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: through.href,
    cut,
    restore() {
      isCut = false
    },
    refusals: () => refusals,
    freeze() {
      isFrozen = true
      for (const socket of open) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of open) socket.resume()
    },
    watch(next) {
      stops = next
    },
    close() {
      cut()
      server.close()
    },
  }
}
