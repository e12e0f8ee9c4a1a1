import { hkdfSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeSecretFile, readSecretFile } from '#server/data-folder.ts'
import type { OwnSecret } from '#server/database/same-shop.ts'
import { StartError } from './errors.ts'

const fileIn = (folder: string) => join(folder, 'app-secret')
const findSecret = async (appSecret: string | undefined, folder: string) =>
  appSecret ?? (await readSecretFile(fileIn(folder)))

/**
 * Reads the root secret of the data folder, or creates it at the first start. Only its owner can
 * read the file.
 */
async function storedSecret(folder: string): Promise<string> {
  const file = fileIn(folder)
  await makeSecretFile(file, randomBytes(32).toString('hex'))
  return readFile(file, 'utf8')
}

/**
 * Reads the root secret of an existing shop for commands; never creates one.
 * @param appSecret APP_SECRET
 * @throws StartError when there is none
 */
export async function knownSecret(appSecret: string | undefined, folder: string): Promise<string> {
  const secret = await findSecret(appSecret, folder)
  if (secret) return secret
  throw new StartError(
    `${fileIn(folder)} is missing: set DATA_DIR to the shop's data folder, or APP_SECRET as it is set for the shop.`,
  )
}

/** A fingerprint of the secret: 64 hex digits that do not reveal it. */
export async function fingerprintOf(secret: string): Promise<string> {
  return (await readSecrets(secret, '')).derive('backup-check').toString('hex')
}

/** The secret of this process; none when the first start has yet to create it. */
export async function ownSecretOf(settings: {
  APP_SECRET?: string | undefined
  DATA_DIR: string
}): Promise<OwnSecret> {
  const folder = join(resolve(settings.DATA_DIR), 'secrets')
  const secret = await findSecret(settings.APP_SECRET, folder)
  return {
    source: settings.APP_SECRET ? 'APP_SECRET' : `What is in ${fileIn(folder)}`,
    fingerprint: secret && (await fingerprintOf(secret)),
  }
}

export type Secrets = {
  /** Derives 32 bytes for one purpose; bytes for another purpose reveal nothing about them. */
  derive(purpose: string): Buffer<ArrayBuffer>
}

/**
 * Derives every key of the shop from one secret (HKDF-SHA-256).
 * @param appSecret APP_SECRET; when absent, uses the secret in `folder` and creates it if necessary
 */
export async function readSecrets(appSecret: string | undefined, folder: string): Promise<Secrets> {
  const root = appSecret ?? (await storedSecret(folder))
  return {
    derive: (purpose) => Buffer.from(hkdfSync('sha256', root, 'ferrite', purpose, 32)),
  }
}
