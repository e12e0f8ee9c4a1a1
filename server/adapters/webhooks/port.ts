/** What the shop needs to send a message to an external server. */
export type Webhooks = {
  /** @throws AppError INVALID with the reason when the shop must not send to this URL */
  assertAllowed(url: string): void
  /**
   * Posts a message, follows no redirect, and reads only the status of the response.
   * @returns the HTTP status
   * @throws AppError with the reason when there was no response
   */
  post(message: { url: string; headers: Record<string, string>; body: string }): Promise<number>
}
