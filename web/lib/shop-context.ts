import { createContext } from 'react-router'
import type { Shop } from '#contracts/shop.ts'

/** What the server hands to the loaders: the shop's settings, and its own API as a visitor sees it (GET only). */
export type ShopContext = { shop: Shop; fetchApi: (path: string) => Promise<Response> }

export const shopContext = createContext<ShopContext>()
