import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

const nothing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** The root secret kept in the data folder, made at the first start. Readable by its owner alone. */
async function keptSecret(folder: string): Promise<string> {
  const path = join(folder, 'app-secret')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return readFile(path, 'utf8')
}

/**
 * The root secret of a shop that is there, for commands beside it: none is made.
 * @param appSecret APP_SECRET
 * @throws StartError when there is none
 */
export async function knownSecret(appSecret: string | undefined, folder: string): Promise<string> {
  const path = join(folder, 'app-secret')
  const secret = appSecret ?? (await readFile(path, 'utf8').catch(nothing))
  if (secret) return secret
  throw new StartError(
    `${path} is missing: set DATA_DIR to the shop's data folder, or APP_SECRET as it is set for the shop.`,
  )
}

export type Secrets = {
  /** 32 bytes for one purpose; another purpose's bytes tell nothing about them. */
  derive(purpose: string): Buffer<ArrayBuffer>
}

/**
 * Every key of the shop, derived (HKDF-SHA-256) from one secret.
 * @param appSecret APP_SECRET; when absent the one in `folder`, made if need be
 */
export async function readSecrets(appSecret: string | undefined, folder: string): Promise<Secrets> {
  const root = appSecret ?? (await keptSecret(folder))
  return {
    derive: (purpose) => Buffer.from(hkdfSync('sha256', root, 'ferrite', purpose, 32)),
  }
}
