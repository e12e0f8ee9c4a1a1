import { z } from 'zod'

/**
 * A text of one line, trimmed, without control characters.
 * @param label the field's name, with which each message starts; '' where the name is shown next to
 *   the message
 * @param max characters
 * @param min 1 if the text must not be empty
 */
export function line(label: string, max: number, min = 0) {
  const about = (problem: string) => (label ? `${label} ${problem}` : problem)
  return z
    .string(about('is required'))
    .trim()
    .min(min, about('is required'))
    .max(max, about(`must be ${max} characters or shorter`))
    .regex(/^\P{Cc}*$/u, about('cannot contain control characters'))
}

/** The same for what mails and papers show to others: it cannot contain a link either. */
export const lineWithoutLink = (label: string, max: number, min = 0) =>
  line(label, max, min).refine((text) => !text.includes('://'), `${label} cannot contain a link`)
