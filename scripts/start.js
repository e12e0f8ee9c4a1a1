// package.json runs this by `exec`, so that npm waits for a clean stop; the part after `||` there
// is for Windows.
// npm start: installs, builds and serves the shop, skipping steps that are up to date. npm run dev:
// the same with hot reload, from the sources. npm run build: only installs and builds.
// npm run backup and the other commands name their program in dist/.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 20) {
  console.error(`This is Node ${process.versions.node}: install Node 20 or newer and try again.`)
  process.exit(1)
}
const { existsSync } = await import('node:fs')
const { inRoot, main, node, run } = await import('./run.js')
const { shopEnvironment, shopFlags } = await import('./node-options.js')
const { ensureBuilt, ensureInstalled } = await import('./prepare.js')

const settings = existsSync(inRoot('.env')) ? ['--env-file=.env'] : []

await main(async () => {
  const words = process.argv.slice(2)
  const isCommand = words[0]?.startsWith('dist/')
  const dev = words.includes('--dev')
  await ensureInstalled()
  if (!dev) await ensureBuilt()
  if (words.includes('--build')) return 0
  const shop = dev ? ['server/main.ts'] : [...shopFlags, 'dist/main.js']
  const args = [...settings, ...(isCommand ? [] : shop), ...words]
  const NODE_ENV = dev ? 'development' : 'production'
  const env = { ...(isCommand ? {} : shopEnvironment), ...process.env, NODE_ENV }
  const { code } = await run(node, args, { env, tied: !isCommand })
  return code
})
