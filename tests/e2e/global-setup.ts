import { dataFolder } from '#tests/support/data-folder.ts'
import { quickPasswords, startShop } from '#tests/support/shop-process.ts'

/** Creates the demo shop whose data folder `readyDataFolder()` copies. */
export default async function setup(): Promise<() => Promise<void>> {
  const shop = await startShop(quickPasswords, await dataFolder())
  await shop.end('SIGTERM')
  process.env.TEST_DATA_FOLDER = shop.dataDir
  return () => shop.remove()
}
