/** What a route says of itself (`export const handle`), so that the server renders its page once for everybody. */
export type PageHandle = {
  /** Parameters of the query that change what the server renders. All others are kept from it. */
  readonly query?: readonly string[]
  /** The page is the same whatever the variable part of its path is, as far as the server renders it. */
  readonly samePage?: true
}
