/** Writes files durably and computes their checksums. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

type Checksum = { bytes: number; sha256: string }
type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Writes a new file that only its owner may read, and flushes it to disk. */
export async function keepFile(path: string, chunks: Chunks): Promise<Checksum> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Copies a file to a new one. */
export const copyFile = (from: string, to: string): Promise<Checksum> =>
  keepFile(to, createReadStream(from))

/** Length and SHA-256 of a file, read in chunks. */
export async function checksumOf(path: string): Promise<Checksum> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
