/** Stops the start or a command; its message is the sentence that the terminal shows. */
export class StartError extends Error {
  override name = 'StartError'
}
