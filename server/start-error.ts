/** A start that cannot go on; the message is the one sentence that the person at the terminal reads. */
export class StartError extends Error {
  override name = 'StartError'
}
