/** The loaders of pages that an owner may hide: a hidden one answers 404. */
import { data, type LoaderFunctionArgs } from 'react-router'
import { isHidden } from '#web/content/site-pages.ts'
import { shopContext } from '#web/lib/shop-context.ts'

export function loader({ context, request }: LoaderFunctionArgs) {
  const { facts } = context.get(shopContext).shop
  const path = new URL(request.url).pathname.replace(/\/$/, '')
  return data(null, { status: isHidden(path, facts) ? 404 : 200 })
}

export const clientLoader = () => null
