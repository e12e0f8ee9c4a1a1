import { and, eq, lt, sql } from 'drizzle-orm'
import type { LogoFile } from '#contracts/logo.ts'
import { sampleFacts } from '#contracts/settings.ts'
import type { EncodeLogo } from '#server/adapters/images/port.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { shopLogos } from '#server/database/schema/settings.ts'
import { contentOf } from '#server/features/pictures/pictures.ts'

export type LogoDeps = { db: Database; encodeLogo: EncodeLogo }

/**
 * Stores a logo in all its sizes, and forgets those of yesterday that the settings do not name.
 * @returns its name
 * @throws AppError UNSUPPORTED, INVALID
 */
export async function uploadLogo(
  { db, encodeLogo }: LogoDeps,
  upload: Uint8Array,
): Promise<string> {
  const logo = contentOf(upload)
  const files = await encodeLogo(upload)
  await db.transaction(async (tx) => {
    const isOld = lt(shopLogos.uploadedAt, sql`now() - interval '1 day'`)
    const isUnused = sql`${shopLogos.logo} not in (select coalesce(settings->'shop'->>'logo', ${sampleFacts.logo}) from shop_settings)`
    await tx.delete(shopLogos).where(and(isOld, isUnused))
    await tx
      .insert(shopLogos)
      .values(files.map(({ file, bytes }) => ({ logo, file, bytes })))
      .onConflictDoUpdate({
        target: [shopLogos.logo, shopLogos.file],
        set: { uploadedAt: sql`now()` },
      })
  })
  return logo
}

/** Whether the logo is stored. */
export const hasLogo = async (db: Queryable, logo: string): Promise<boolean> =>
  (await db.$count(shopLogos, eq(shopLogos.logo, logo))) > 0

/** Reads a file of a logo; null when there is none. */
export async function readLogo(
  db: Queryable,
  logo: string,
  file: LogoFile,
): Promise<Uint8Array | null> {
  const [row] = await db
    .select({ bytes: shopLogos.bytes })
    .from(shopLogos)
    .where(and(eq(shopLogos.logo, logo), eq(shopLogos.file, file)))
  return row?.bytes ?? null
}
