import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { AppError } from '#server/errors.ts'
import type { EncoderAnswer } from './encoder-process.ts'
import type { EncodedPicture, EncodePicture } from './port.ts'

/** Beside this file, and in dist/ beside the shop: there `import.meta.dirname` would say a folder of the checkout. */
const here = import.meta.filename
const program = join(dirname(here), `encoder-process${extname(here)}`)
/** Without work it ends after so long, and gives back its memory. */
const idleMs = 10_000
/** Far more than a picture takes on a busy machine, and less than the lease of one in the queue. */
const longestMs = 120_000
/** What the process needs of our environment. It reads files of strangers, so it is told no secret. */
const needed = /^(MALLOC_|LD_|PATH$|SYSTEMROOT$|TE?MP)/i

function start(lower: number): ChildProcess {
  const named = Object.entries({ ...process.env }).filter(([name]) => needed.test(name))
  const child = fork(program, {
    env: Object.fromEntries(named),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    setPriority(child.pid ?? 0, Math.min(getPriority() + lower, 19))
  } catch {
    // a system may forbid a lower priority: pictures are encoded all the same
  }
  // who waits for an answer hears of it too
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
  return child
}

/**
 * Encodes in a process of its own, one picture at a time: its memory goes when it ends, requests of the shop go first, and a
 * picture that breaks it does not break the shop.
 * @param lower its priority below ours: by 10 it gets a tenth of a processor that both want
 */
export function pictureEncoder(lower = 10): EncodePicture {
  let encoder: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function encode(upload: Uint8Array): Promise<EncodedPicture> {
    clearTimeout(timer)
    if (!encoder?.connected) encoder = start(lower)
    const own = encoder
    timer = setTimeout(() => own.kill('SIGKILL'), longestMs)
    const over = new AbortController()
    try {
      const { signal } = over
      const ended = once(own, 'exit', { signal }).then(([code, killedBy]) => {
        throw new Error(`The process that encodes pictures ended: ${killedBy ?? code}`)
      })
      const answered = once(own, 'message', { signal })
      own.send(upload)
      const [answer] = (await Promise.race([answered, ended])) as [EncoderAnswer]
      if ('picture' in answer) return answer.picture
      if ('refused' in answer) throw new AppError(answer.refused.code, answer.refused.message)
      throw new Error(answer.failed)
    } finally {
      over.abort()
      clearTimeout(timer)
      timer = setTimeout(() => own.connected && own.disconnect(), idleMs).unref()
    }
  }

  return (upload) => {
    const encoding = last.then(() => encode(upload))
    last = encoding.catch(() => {})
    return encoding
  }
}
