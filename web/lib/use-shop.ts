import { useRouteLoaderData } from 'react-router'
import type { Shop } from '#contracts/shop.ts'

/** The shop's settings, which every page includes. */
export const useShop = (): Shop => (useRouteLoaderData('root') as { shop: Shop }).shop

const useFacts = () => (useRouteLoaderData('root') as { shop: Shop } | undefined)?.shop.facts

/** The name of the owner's logo; '' without one. */
export const useShopLogo = (): string => useFacts()?.logo ?? ''

/** What the shop is, in a sentence or two; '' without one. */
export const useShopSlogan = (): string => useFacts()?.slogan ?? ''

/** The shop's name; '' on an error page of which nothing was loaded. */
export const useShopName = (): string => useFacts()?.name ?? ''
