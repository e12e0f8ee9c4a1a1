import { keyScopes, type NewKey } from '#contracts/api-keys.ts'
import type { IdentityMail } from '#server/adapters/identity/port.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { queueMail } from '#server/database/mail-queue.ts'
import { shopSlots } from './shop-slots.ts'
import { mailTemplate } from './template.ts'

const texts = {
  'verify-email': {
    subject: 'Confirm your email address',
    lines: [
      `Someone created an account at ${shopSlots.name} with this address.`,
      'If that was you, confirm it with this link, ideally in the browser you signed up with.',
      'If it wasn’t you, don’t click. The address stays unconfirmed, and you don’t have to do anything.',
    ],
    action: 'Confirm my address',
    end: 'The link works for one hour.',
  },
  'change-email': {
    subject: 'Confirm your new email address',
    lines: [
      `Someone wants to use this address for an account at ${shopSlots.name}.`,
      'If that was you, confirm it with this link, ideally in the browser you used.',
      'If it wasn’t you, don’t click. You don’t have to do anything.',
    ],
    action: 'Confirm my new address',
    end: 'The link works for one hour.',
  },
  'reset-password': {
    subject: 'Set a new password',
    lines: ['Someone, probably you, asked to reset the password for your account.'],
    action: 'Set a new password',
    end: 'The link works once, for one hour. If it wasn’t you, ignore this email: nothing changes.',
  },
} as const

/** Queues the mail about a changed password. @param help URL of the page that sets a new one */
export const queuePasswordChanged = (db: Database, recipient: string, help: string) =>
  queueMail(db, {
    template: 'password-changed',
    recipient,
    ...mailTemplate({
      subject: 'Your password was changed',
      lines: [
        `Someone who entered the old password changed the password for your account at ${shopSlots.name}. All your other devices are logged out.`,
        'If that wasn’t you, set a new one right away: use ‘Forgot password?’ on the login page.',
      ],
      action: { label: 'Go to login', url: help },
    }),
  })

/** Queues the mail about a second factor that was switched on or off, to its user. */
export const queueSecondFactorChanged = (
  db: Queryable,
  recipient: string,
  isOn: boolean,
  publicUrl: string,
) =>
  queueMail(db, {
    template: 'second-factor',
    recipient,
    ...mailTemplate({
      subject: `Your second factor is ${isOn ? 'on' : 'off'}`,
      lines: [
        isOn
          ? `Your account at ${shopSlots.name} will ask for a code from your phone from now on. All your other devices are logged out.`
          : `Your account at ${shopSlots.name} will only ask for your password from now on.`,
        'If that wasn’t you, change your password right away, and ask another admin to block the account.',
      ],
      action: { label: 'Go to my profile', url: `${publicUrl}/dashboard` },
    }),
  })

/** Queues the mail about a new API key, to the admin for whom the key acts. */
export const queueKeyMade = (
  db: Queryable,
  recipient: string,
  { name, scopes, endsOn }: NewKey,
  publicUrl: string,
) =>
  queueMail(db, {
    template: 'key-made',
    recipient,
    ...mailTemplate({
      subject: `New API key: ${name}`,
      lines: [
        `An API key was created in your name. Until ${endsOn}, any program that has it can: ${scopes.map((scope) => keyScopes[scope].toLowerCase()).join('; ')}.`,
        'If that wasn’t you, revoke it and change your password: someone else is logged in to your account.',
      ],
      action: { label: 'See the keys', url: `${publicUrl}/dashboard/integrations` },
    }),
  })

/**
 * Queues a verification or reset mail. It contains no text from a user, not even a name, because a
 * stranger may have entered the address to speak in the shop's name.
 */
export async function queueIdentityMail(db: Database, mail: IdentityMail): Promise<void> {
  const { subject, lines, action, end } = texts[mail.template]
  await queueMail(db, {
    template: mail.template,
    recipient: mail.recipient,
    ...mailTemplate({ subject, lines: [...lines], action: { label: action, url: mail.url }, end }),
  })
}
