/** The timeout for a response in ms; longer on a phone, which is often on a weak network. */
export function timeouts(desk: number, phone: number): number {
  return matchMedia('(pointer: coarse)').matches ? phone : desk
}
