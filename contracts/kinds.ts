/** Kinds of parts, and what a part of a kind states: its specification. */
import { z } from 'zod'

/** One value of a choice. `also` are other spellings of it, in lower case. */
export const SpecOption = z.strictObject({ value: z.string(), also: z.array(z.string()) })
export type SpecOption = z.infer<typeof SpecOption>

/** A choice, several of a choice, a number with its unit, or yes and no. */
export type SpecValue = string | string[] | number | boolean
/** What a part states, by the keys of its kind's fields. What nobody knows is left out. */
export type Specs = Record<string, SpecValue>
