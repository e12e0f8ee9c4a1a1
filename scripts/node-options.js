// How Node runs the shop: for npm start, the tests and the bench alike.
/**
 * The first takes a third less memory than V8's default, and 16 MB less than 8, for as much work on a processor a request.
 * With the second the heap grows by half before it is collected, not by whatever V8 guesses: 164 MB after 2,400 bookings
 * instead of 195. The unit and the container of deploy/ have both too.
 */
export const shopFlags = ['--max-semi-space-size=4', '--heap-growing-percent=50']

export const shopEnvironment = {
  // glibc raises its own threshold as large blocks come and go, and then keeps them: drawing the demo costs 80 MB for good.
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  // Each thread that draws or hashes would keep memory of its own: 172 MB after the bench instead of 189.
  MALLOC_ARENA_MAX: '2',
}
