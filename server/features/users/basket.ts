import { eq } from 'drizzle-orm'
import { basketIn, basketText } from '#contracts/basket.ts'
import type { Queryable } from '#server/database/client.ts'
import { baskets } from '#server/database/schema/users.ts'

/** The basket of an account; empty without one. */
export async function readBasket(db: Queryable, userId: string): Promise<string> {
  const [basket] = await db.select().from(baskets).where(eq(baskets.userId, userId))
  return basket?.parts ?? ''
}

/** Keeps a basket for an account, in its shortest form. */
export async function keepBasket(db: Queryable, userId: string, text: string): Promise<void> {
  const parts = basketText(basketIn(text))
  if (parts === '') {
    await db.delete(baskets).where(eq(baskets.userId, userId))
    return
  }
  await db
    .insert(baskets)
    .values({ userId, parts })
    .onConflictDoUpdate({ target: baskets.userId, set: { parts } })
}
