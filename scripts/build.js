import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { alone } from './lock.js'
import { diskFull, inRoot, node, Problem, seconds, step, tail } from './run.js'
import { contentHash, readStamp, writeStamp } from './stamp.js'

const STAMP = inRoot('build', '.ferrite-built')
const INPUTS = [
  'web',
  'contracts',
  'public',
  'vite.config.ts',
  'react-router.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.web.json',
]

/** Builds the pages into build/ unless they are there and nothing they are made of has changed. */
export async function ensureBuilt() {
  if (isBuilt()) return
  await alone(async () => {
    if (isBuilt()) return
    const since = Date.now()
    console.log('Building the pages')
    rmSync(STAMP, { force: true })
    // Taken before the build: a file saved meanwhile means another build next time.
    const made = contentHash(INPUTS)
    const cli = inRoot('node_modules', '@react-router', 'dev', 'bin.cjs')
    const env = { ...process.env, NODE_ENV: 'production' }
    const { code, output } = await step(node, [cli, 'build'], { env })
    if (code !== 0) {
      if (/ENOSPC|EDQUOT|no space left/i.test(output)) throw new Problem(diskFull)
      console.error(tail(output))
      throw new Problem(
        'The pages could not be built: mend what the lines above name and try again.',
      )
    }
    mkdirSync(inRoot('build'), { recursive: true })
    writeStamp(STAMP, made)
    console.log(`Pages built (${seconds(since)})`)
  })
}

function isBuilt() {
  return existsSync(inRoot('build', 'server')) && readStamp(STAMP) === contentHash(INPUTS)
}
