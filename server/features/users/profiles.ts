import { eq, sql } from 'drizzle-orm'
import type { Profile, ProfileUpdate } from '#contracts/account.ts'
import type { Caller } from '#contracts/users.ts'
import type { Queryable } from '#server/database/client.ts'
import { profiles, users } from '#server/database/schema/users.ts'
import { AppError } from '#server/errors.ts'

/**
 * Finds the profile of a user or of an address, preferring a saved one. Fields that were never
 * saved are null.
 */
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

/**
 * Saves the caller's own profile and replaces the earlier one.
 * @throws AppError FORBIDDEN for another user's address; admins may read profiles, but not write
 *   them
 */
export async function saveProfile(
  db: Queryable,
  caller: Caller,
  email: string,
  { education, location, phone, linkedIn }: ProfileUpdate,
): Promise<void> {
  if (email !== caller.email)
    throw new AppError('FORBIDDEN', 'You can only change your own profile')
  const values = { education, location, phone, linkedIn }
  await db
    .insert(profiles)
    .values({ userId: caller._id, ...values })
    .onConflictDoUpdate({ target: profiles.userId, set: values })
}
