import { z } from 'zod'

/**
 * A text of one or more lines, trimmed, without control characters.
 * @param label the field's name, with which each message starts
 * @param max characters
 */
export const paragraphs = (label: string, max: number) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(max, `${label} must be ${max} characters or shorter`)
    .regex(/^(?:\P{Cc}|[\n\r\t])*$/u, `${label} cannot contain control characters`)
