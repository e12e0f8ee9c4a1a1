/** What every connection begins with. Milliseconds. */
export const sessionTimeouts = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
}
