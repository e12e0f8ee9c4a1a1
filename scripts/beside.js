// npm run backup, npm run restore, npm run doctor: work without anything installed yet, as on the new machine after a loss.
const [major] = process.versions.node.split('.').map(Number)
if (major < 20) {
  console.error(`This is Node ${process.versions.node}: install Node 20 or newer and try again.`)
  process.exit(1)
}
const { existsSync } = await import('node:fs')
const { inRoot, main, node, run } = await import('./run.js')
const { ensureInstalled } = await import('./install.js')

const [file, ...words] = process.argv.slice(2)
const settings = existsSync(inRoot('.env')) ? ['--env-file=.env'] : []

const env = { ...process.env, NODE_ENV: 'production' }

await main(async () => {
  await ensureInstalled()
  const { code } = await run(node, [...settings, file, ...words], { env })
  return code
})
