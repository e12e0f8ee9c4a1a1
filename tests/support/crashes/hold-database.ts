import { StartError } from '#server/errors.ts'
import { startEmbedded } from '#server/postgres/start.ts'

// A process that owns a database until it is stopped, as server/main.ts does with the embedded
// server.
const [dataDir = '', owner = ''] = process.argv.slice(2)
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const { url, takenOver, stop } = await startEmbedded({
    dataDir,
    owner,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  process.once('SIGTERM', () => stop().then(() => process.exit(0)))
  say({ url, takenOver })
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say({ refused: error.message })
  process.exit(1)
}
