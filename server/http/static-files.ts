import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Encoded, encode } from './encoding.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Reads every file of the built site into a map by URL path. A path that is not in the map does not exist, so no spelling
 * of a path reaches other files.
 */
export async function readStaticFiles(folder: string): Promise<ReadonlyMap<string, Encoded>> {
  const files = new Map<string, Encoded>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const path = join(entry.parentPath, entry.name)
    const url = path.slice(folder.length).replaceAll('\\', '/')
    const body = await readFile(path)
    const hashed = url.startsWith('/assets/')
    files.set(
      url,
      encode(body, {
        'content-type': type,
        'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      }),
    )
  }
  return files
}
