/** A connection to the database that can be cut and restored, and that sees every statement. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One statement at one of two moments: before it reaches the database, and after its response. */
export type Passing = { text: string; moment: 'asked' | 'answered' }

export type DatabaseWay = {
  url: string
  cut(): void
  restore(): void
  /** How many connections were refused while it was cut. */
  refusals(): number
  /**
   * Stops all traffic without closing anything, as when a machine in between hangs, until `thaw`.
   */
  freeze(): void
  thaw(): void
  /**
   * Inspects each statement from now on. If the function returns true, the statement is stopped and
   * the connection is cut there.
   */
  watch(stops: ((passing: Passing) => boolean) | null): void
  close(): void
}

/**
 * Splits the incoming data into messages of PostgreSQL's protocol: a type byte, a length, a body;
 * only a client's first message has no type.
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

/**
 * The statements in one client's messages: simple ones as they arrive, prepared ones each time they
 * are bound.
 */
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

/**
 * Opens a connection to a database.
 * @param url where the database is
 */
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
  /** @returns whether the statement may pass */
  const passes = (passing: Passing) => {
    if (!stops?.(passing)) return true
    cut()
    return false
  }

  function join(near: Socket, far: Socket): void {
    // several may be sent before the first response; responses arrive in order
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
