/** A route's `export const handle`: it lets the server render the page once for all visitors. */
export type PageHandle = {
  /** Query parameters that change what the server renders. It gets no others. */
  readonly query?: readonly string[]
  /** The server renders the same page whatever the variable part of the path is. */
  readonly samePage?: true
  /** The server renders a page for each path, once for all who ask for it. */
  readonly pageForPath?: true
  /** The page depends on its whole query, but for names that others add to links. Only simultaneous requests share it. */
  readonly readsQuery?: true
  /** Its URL holds a key or an e-mail address: the page sends no referrer. */
  readonly keyInAddress?: true
  /** The page's `meta` says how search engines shall know it; the root says nothing about it. */
  readonly ownFacts?: true
}
