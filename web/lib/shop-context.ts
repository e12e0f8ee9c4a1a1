import { createContext } from 'react-router'
import type { Shop } from '#contracts/shop.ts'

/** The data that the server provides to one rendering. */
export type ShopContext = {
  shop: Shop
  /** The shop's own API as a visitor sees it (GET only). */
  fetchApi: (path: string) => Promise<Response>
  /**
   * The nonce of the scripts that the server renders; random, so that no injected script can have
   * it.
   */
  nonce: string
}

export const shopContext = createContext<ShopContext>()
