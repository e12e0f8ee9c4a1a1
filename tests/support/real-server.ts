/** Servers that the tests do not bring along. `npm run test:providers` runs what needs them, and names those not here. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, test } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Why a server could not be tried. `npm run test:providers` prints it, and fails by it with `--strict`. */
    notHere?: string
    /** Why an adapter meets no real server here, ever. Printed, and no failure. */
    wireFormatAlone?: string
    /** Figures that somebody may want to know. Printed. */
    measured?: string
  }
}

/** The server is not here: a sentence that says how to get it. */
export class NotHere extends Error {}

/** The path of a program. @throws NotHere with the Debian package that brings it */
export function findProgram(name: string, debianPackage = name): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  for (const folder of folders) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {}
  }
  throw new NotHere(`${name} is not installed: apt-get install ${debianPackage}`)
}

/**
 * Declares the tests that need a real server; without it they are one skipped test that says why.
 * @param find finds or installs it, and throws NotHere when it cannot
 */
export async function describeServer<T>(
  name: string,
  find: () => T | Promise<T>,
  declare: (found: T) => void,
): Promise<void> {
  let found: T
  try {
    found = await find()
  } catch (error) {
    if (!(error instanceof NotHere)) throw error
    test(name, ({ task, skip }) => {
      task.meta.notHere = `${name}: ${error.message}`
      skip(error.message)
    })
    return
  }
  describe(name, () => declare(found))
}

/** Says that an adapter is tested by its wire format alone, and why. */
export function testedByWireFormat(name: string, why: string): void {
  test(`${name} is tested by its wire format alone`, ({ task }) => {
    task.meta.wireFormatAlone = `${name}: ${why}`
  })
}

/**
 * Installs a server from npm, once, in a folder of its own: it is no dependency of the shop.
 * @param spec its name and version @returns the folder of its package @throws NotHere
 */
export function installServer(spec: string): string {
  const [, name = spec] = /^(.+)@/.exec(spec) ?? []
  const folder = join(tmpdir(), 'ferrite-providers', spec.replaceAll('/', '-'))
  const installed = join(folder, 'node_modules', name)
  if (existsSync(join(folder, 'complete'))) return installed
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const words = ['install', spec, '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', words, { encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) {
    const [why] = /(?<=npm error )(?!code|errno|command|An unknown).+/.exec(stderr) ?? []
    throw new NotHere(`npm install ${spec} failed: ${why ?? 'no answer in five minutes'}`)
  }
  writeFileSync(join(folder, 'complete'), '')
  return installed
}
