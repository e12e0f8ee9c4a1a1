import { keyScopes, type NewKey } from '#contracts/api-keys.ts'
import type { IdentityMail } from '#server/adapters/identity/port.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { queueMail } from '#server/database/mail-queue.ts'
import { shopSlots } from './shop-slots.ts'
import { mailTemplate } from './template.ts'

const texts = {
  'verify-email': {
    subject: 'Confirm your e-mail address',
    lines: [
      `An account at ${shopSlots.name} was made with this address.`,
      'If it was you, confirm it with this link, best in the browser in which you signed up.',
      'If it was not you, do not click: without the click the address stays unconfirmed, and you need not do anything.',
    ],
    action: 'Confirm my address',
    end: 'The link works for one hour.',
  },
  'change-email': {
    subject: 'Confirm your new e-mail address',
    lines: [
      `An account at ${shopSlots.name} is to have this address from now on.`,
      'If it was you, confirm it with this link, best in the browser in which you asked for it.',
      'If it was not you, do not click, and you need not do anything.',
    ],
    action: 'Confirm my new address',
    end: 'The link works for one hour.',
  },
  'reset-password': {
    subject: 'Set a new password',
    lines: ['Someone, probably you, asked for a new password for your account.'],
    action: 'Set a new password',
    end: 'The link works once and for one hour. If it was not you, ignore this mail: nothing changes.',
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
        `The password of your account at ${shopSlots.name} was changed by someone who entered the old one. Every other device is signed out.`,
        'If that was not you, set another one at once: ‘Forgot password?’ on the login page does that by mail.',
      ],
      action: { label: 'To the login page', url: help },
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
          ? `Your account at ${shopSlots.name} asks for a code of your phone from now on. Every other device is signed out.`
          : `Your account at ${shopSlots.name} asks for the password alone from now on.`,
        'If that was not you, set another password at once, and ask another admin to block the account.',
      ],
      action: { label: 'To your profile', url: `${publicUrl}/dashboard` },
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
        `An API key was made in your name. Until ${endsOn}, every program that has it may: ${scopes.map((scope) => keyScopes[scope].toLowerCase()).join('; ')}.`,
        'If that was not you, revoke it, and set another password: a stranger is signed in to your account.',
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
