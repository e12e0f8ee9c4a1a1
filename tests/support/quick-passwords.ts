/**
 * Password hashes are slow on purpose: a tenth of a second of a core and 32 MB. Shops in a test's
 * own process, which hash hundreds, and those of stories use scrypt at the lowest cost; other shops
 * in separate processes use the real cost. A test of what hashing delays sets `SCRYPT_COST`, a power of 2.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
function quick(
  ...[password, salt, size, , callback]: [
    string,
    string,
    number,
    object,
    Parameters<typeof scrypt>[4],
  ]
): void {
  scrypt(password, salt, size, { N: Number(process.env.SCRYPT_COST ?? 2), r: 8 }, callback)
}
// once for all files of a worker
if (scrypt.name !== quick.name) crypto.scrypt = quick as typeof scrypt
syncBuiltinESMExports()
