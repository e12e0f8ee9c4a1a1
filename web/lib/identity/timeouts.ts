/** How long to wait for an answer, in ms: a phone, often on a weak network, gets longer. */
export function timeouts(desk: number, phone: number): number {
  return matchMedia('(pointer: coarse)').matches ? phone : desk
}
