/** `npm run doctor [-- --repair]`: looks for what is wrong with a shop that runs or is stopped; ends with 1 when something is. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Finding } from '#contracts/findings.ts'
import { visitDatabase } from '#server/database/visit-database.ts'
import { createDeps, type Deps, sandboxPath } from '#server/deps.ts'
import { readSettings, type Settings } from '#server/env.ts'
import { createLogger } from '#server/log.ts'
import { readSecrets } from '#server/secrets.ts'
import { StartError } from '#server/start-error.ts'
import { examine } from './examine.ts'
import { describeExamination, describeRepair } from './print.ts'
import { repair } from './repair.ts'

/** The shop's own doors. The stand-in for the card provider lives in its database, so it answers here as it does there. */
async function openDoors(settings: Settings, databaseUrl: string) {
  const log = createLogger({ ...settings, LOG_LEVEL: 'silent' })
  const secrets = await readSecrets(settings.APP_SECRET, join(settings.DATA_DIR, 'secrets'))
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const publicUrl = settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`
  const deps = createDeps({ settings, databaseUrl, publicUrl, origin, secrets, log })
  const site = new Hono()
  if (deps.sandbox) site.route(sandboxPath, deps.sandbox.app)
  server.on('request', getRequestListener(site.fetch))
  return { deps, close: () => closeDoors(server, deps) }
}

async function closeDoors(server: Server, deps: Deps): Promise<void> {
  server.close()
  server.closeAllConnections()
  await deps.catalogue.close()
  await deps.db.$client.end()
}

/** Mends what is safe, one after the other; one that fails stops no other. */
async function mendAll(deps: Deps, findings: Finding[]): Promise<void> {
  for (const finding of findings) {
    if (!finding.repair) continue
    const made = await repair(deps, null, { repair: finding.repair, about: finding.about }).catch(
      (error: Error) => ({ done: false, outcome: error.message }),
    )
    console.log(describeRepair(finding, made))
  }
}

/** @returns whether all is well */
async function visit(deps: Deps, mending: boolean): Promise<boolean> {
  let found = await examine(deps)
  console.log(describeExamination(found))
  if (mending && found.findings.some((finding) => finding.repair)) {
    console.log('\nRepairing:')
    await mendAll(deps, found.findings)
    found = await examine(deps)
    console.log(`\n${describeExamination(found)}`)
  }
  return found.findings.length === 0 && found.provider === 'answered'
}

async function run(): Promise<boolean> {
  const settings = readSettings()
  return visitDatabase(settings, 'npm run doctor', async (url) => {
    const doors = await openDoors(settings, url)
    try {
      return await visit(doors.deps, process.argv.includes('--repair'))
    } finally {
      await doors.close()
    }
  })
}

run().then(
  (well) => process.exit(well ? 0 : 1),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
