// its own module: pages with orders do not load the rules of addresses
import { z } from 'zod'

/** The most addresses that an account keeps. */
export const maxAddresses = 10

/** A stored address in an answer. */
export const StoredAddress = z.strictObject({
  name: z.string(),
  company: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  region: z.string(),
  postcode: z.string(),
  country: z.string(),
})
export type StoredAddress = z.infer<typeof StoredAddress>
