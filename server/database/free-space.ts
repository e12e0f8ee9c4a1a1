import { statfs } from 'node:fs/promises'

/** Free bytes, for an ordinary user, of the disk that holds `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
