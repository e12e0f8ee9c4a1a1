import { createContext } from 'react-router'
import type { Shop } from '#contracts/shop.ts'

/** What the server hands to one rendering. */
export type ShopContext = {
  shop: Shop
  /** The shop's own API as a visitor sees it (GET only). */
  fetchApi: (path: string) => Promise<Response>
  /** What the scripts that we render are known by; random, so that nobody else's can carry it. */
  mark: string
}

export const shopContext = createContext<ShopContext>()
