import type { ClientBase, Pool } from 'pg'

/** Runs `work` in one transaction: kept when it returns, undone when it throws. */
export async function transaction<T>(pool: Pool, work: (db: ClientBase) => Promise<T>): Promise<T> {
  const db = await pool.connect()
  let broken: Error | undefined
  try {
    await db.query('begin')
    const result = await work(db)
    await db.query('commit')
    return result
  } catch (error) {
    await db.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    db.release(broken)
  }
}
