const seconds = 120

/**
 * A loader for `lazy()` with a timeout: a script that has not loaded after 120 s is an error that
 * the page shows, instead of an area that stays empty forever.
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
