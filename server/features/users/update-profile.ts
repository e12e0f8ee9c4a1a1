import type { ProfileUpdate } from '#contracts/profiles.ts'
import type { Caller } from '#contracts/users.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { saveProfile } from './profile-store.ts'

/**
 * Saves the caller's own profile.
 * @throws AppError FORBIDDEN when the address is another's; an admin may read profiles, not write them
 */
export async function updateProfile(
  db: Database,
  caller: Caller,
  email: string,
  profile: ProfileUpdate,
): Promise<void> {
  if (email !== caller.email)
    throw new AppError('FORBIDDEN', 'You may only change your own profile')
  await saveProfile(db, caller._id, profile)
}
