import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { inRoot } from './run.js'

/** One hash over the names and the content of files and folders of the checkout; missing ones count as such. */
export function contentHash(paths, extra = '') {
  const hash = createHash('sha256').update(extra)
  for (const name of paths.flatMap(filesOf)) {
    hash.update(`\0${name}\0`)
    hash.update(readFileSync(inRoot(name)))
  }
  return hash.digest('hex')
}

export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

export function writeStamp(file, hash) {
  writeFileSync(file, hash)
}

function filesOf(name) {
  if (!existsSync(inRoot(name))) return []
  if (!statSync(inRoot(name)).isDirectory()) return [name]
  return readdirSync(inRoot(name))
    .sort()
    .flatMap((entry) => filesOf(`${name}/${entry}`))
}
