const seconds = 120

/**
 * A loader for `lazy()` that gives up: a script that has not come after 120 s is an error, which the page tells, and not
 * a place that stays empty for ever.
 */
export function withTimeout<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () => {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new Error(`A script of this page did not load within ${seconds} seconds`)),
      seconds * 1000,
    )
    return Promise.race([load(), promise]).finally(() => clearTimeout(timer))
  }
}
