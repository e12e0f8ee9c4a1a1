import { data } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { NotFound } from '#web/components/error-page.tsx'
import { titled } from '#web/lib/page-meta.ts'

export const meta = titled(messages.notFound)

export const handle: PageHandle = { samePage: true }

export function loader() {
  return data(null, { status: 404 })
}

export function clientLoader() {
  return null
}

export default function NotFoundPage() {
  return <NotFound />
}
