import { eq, sql } from 'drizzle-orm'
import type { Profile, ProfileUpdate } from '#contracts/profiles.ts'
import type { Queryable } from '#server/database/client.ts'
import { profiles, users } from '#server/database/schema/users.ts'

/** The profile of a user or of an address, a saved one first; nulls for fields never saved. */
export async function findProfile(
  db: Queryable,
  whose: { userId: string } | { email: string },
): Promise<Profile | undefined> {
  const [profile] = await db
    .select({
      name: users.name,
      email: users.email,
      education: profiles.education,
      location: profiles.location,
      phone: profiles.phone,
      linkedIn: profiles.linkedIn,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users._id))
    .where('userId' in whose ? eq(users._id, whose.userId) : eq(users.email, whose.email))
    .orderBy(sql`${profiles.userId} is null`)
    .limit(1)
  return profile
}

/** Replaces the user's profile. */
export async function saveProfile(
  db: Queryable,
  userId: string,
  { education, location, phone, linkedIn }: ProfileUpdate,
): Promise<void> {
  const values = { education, location, phone, linkedIn }
  await db
    .insert(profiles)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: profiles.userId, set: values })
}
