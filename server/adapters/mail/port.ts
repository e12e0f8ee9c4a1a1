/** A file that goes with a mail. */
export type Attachment = { name: string; type: string; content: Uint8Array }

/**
 * The port for sending mail. Adapters: `smtp.ts`, and `outbox.ts` (files in DATA_DIR/outbox,
 * without SMTP_URL).
 */
export type Mail = {
  /** The same for each retry, so that a receiver can drop duplicates. */
  id: string
  recipient: string
  subject: string
  text: string
  html: string
  /** The sender's name, where MAIL_FROM is an address alone. */
  senderName?: string
  /** Where answers go. */
  replyTo?: string
  attachment?: Attachment | null
}

export type Mailer = {
  /**
   * Resolves when the mail server has accepted the mail.
   * @throws MailFailure; the queue retries unless it is `final`
   */
  send(mail: Mail): Promise<void>
  /**
   * Tests whether mail can be sent now, without sending one.
   * @throws MailFailure, or KeyRefused when the server refuses user or password
   */
  verify(): Promise<void>
}

/** Why a mail was not sent, as a sentence for the shop's owner. */
export class MailFailure extends Error {
  /** The recipient's address is permanently refused, so that a retry is useless. */
  readonly final: boolean

  constructor(message: string, { final = false, cause }: { final?: boolean; cause?: unknown }) {
    super(message, { cause })
    this.final = final
  }
}
