/** Timeouts of every connection, in milliseconds. */
export const sessionTimeouts = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
}
