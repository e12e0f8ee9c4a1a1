/** One part of the demo shop; `picture` names a file in `pictures/`, `price` is in whole dollars. */
export type DemoPart = {
  name: string
  kind: string
  description: string
  price: number
  minimumOrderQuantity: number
  onHand: number
  picture: string
  alt: string
}
