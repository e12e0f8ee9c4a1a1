/** A route's `export const handle`: it lets the server render the page once for everybody. */
export type PageHandle = {
  /** Query parameters that change what the server renders. It gets no others. */
  readonly query?: readonly string[]
  /** The server renders the same page whatever the variable part of the path is. */
  readonly samePage?: true
}
