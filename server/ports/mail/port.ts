/** How mail leaves. Technologies: `smtp.ts`, and `outbox.ts` (files in DATA_DIR/outbox, when no SMTP_URL is set). */
export type Mail = {
  /** Stable over retries, so that a receiver can drop a repeat. */
  id: string
  recipient: string
  subject: string
  text: string
  html: string
}

export type Mailer = {
  /** Resolves when the next hop took it. @throws whatever went wrong; the outbox table tries again */
  send(mail: Mail): Promise<void>
}
