/** What the shop needs to send a message to somebody else's server. */
export type Webhooks = {
  /** @throws AppError INVALID with the sentence why nothing will be sent to this address */
  assertAllowed(url: string): void
  /**
   * Posts a message, follows no redirect, and reads no more than the status of the answer.
   * @returns the HTTP status
   * @throws AppError with the sentence why none came
   */
  post(message: { url: string; headers: Record<string, string>; body: string }): Promise<number>
}
