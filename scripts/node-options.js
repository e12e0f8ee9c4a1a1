// Node options for npm start, the tests and the bench.
/**
 * The first option takes a third less memory than V8's default, and 16 MB less than a size of 8,
 * for the same processor time per request. With the second, the heap grows by half before a
 * collection instead of by V8's own estimate: 164 MB after 2,400 bookings instead of 195. The unit
 * and the container in deploy/ set both, too.
 */
export const shopFlags = ['--max-semi-space-size=4', '--heap-growing-percent=50']

export const shopEnvironment = {
  // glibc raises its own threshold as large blocks come and go, and then keeps them: drawing the
  // demo would use 80 MB permanently.
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  // Each thread that draws or hashes would keep its own memory: 172 MB after the bench instead of
  // 189.
  MALLOC_ARENA_MAX: '2',
}
