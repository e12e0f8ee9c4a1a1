/**
 * A route's `export const handle`: tells the server when several visitors can share a rendered
 * page.
 */
export type PageHandle = {
  /** Query parameters that change the rendered page. The page gets no others. */
  readonly query?: readonly string[]
  /** The rendered page does not depend on the variable part of the path. */
  readonly samePage?: true
  /** The server renders the page once per path, for all visitors. */
  readonly pageForPath?: true
  /**
   * The page depends on its whole query, except for tracking parameters. Only simultaneous requests
   * share it.
   */
  readonly readsQuery?: true
  /** The URL contains a secret or an e-mail address, so the page sends no referrer. */
  readonly keyInAddress?: true
  /** The page's `meta` provides the tags for search engines; the root adds none. */
  readonly ownFacts?: true
}
