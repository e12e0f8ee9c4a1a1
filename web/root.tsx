import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url'
import geist from '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2?url'
import instrument from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from 'react-router'
import { OfflineBanner } from '#web/components/offline-banner.tsx'
import { SiteFooter } from '#web/components/site-footer.tsx'
import { SiteHeader } from '#web/components/site-header.tsx'
import { bootScript } from '#web/lib/boot-script.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { browserQueryClient, makeQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { Toasts } from '#web/lib/toasts.tsx'
import { usePageFocus } from '#web/lib/use-page-focus.ts'
import type { Route } from './+types/root'
import './app.css'
import { Fault } from '#web/components/fault.tsx'

export const links: Route.LinksFunction = () => [
  ...[bricolage, instrument, geist].map((href) => ({
    rel: 'preload',
    href,
    as: 'font' as const,
    type: 'font/woff2',
    crossOrigin: 'anonymous' as const,
  })),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const meta: Route.MetaFunction = ({ error }) =>
  pageMeta(
    error ? 'Something went wrong' : 'Ferrite',
    'Computer parts, booked before they are paid.',
  )

export function loader({ context }: Route.LoaderArgs) {
  return { shop: context.get(shopContext).shop }
}

/** The shop's settings do not change while a page is open. */
export function shouldRevalidate() {
  return false
}

/** The document around every page, also around one that failed. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <script dangerouslySetInnerHTML={{ __html: bootScript }} />
        <Meta />
        <Links />
      </head>
      <body className="flex min-h-dvh flex-col">
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

function Page({ children }: { children: ReactNode }) {
  const simulated = useRouteLoaderData<typeof loader>('root')?.shop.payments.simulated
  return (
    <>
      <a href="#content" className="skip-link">
        Skip to the content
      </a>
      {simulated && (
        <p className="bg-graphite px-4 py-1.5 text-center font-mono text-xs text-[#f1ede6]">
          Payments are simulated: no card is charged.
        </p>
      )}
      <SiteHeader />
      <main id="content" className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </>
  )
}

export default function App() {
  const [client] = useState(() =>
    typeof document === 'undefined' ? makeQueryClient() : browserQueryClient(),
  )
  usePageFocus()
  return (
    <QueryClientProvider client={client}>
      <Page>
        <Outlet />
      </Page>
      <Toasts />
      <OfflineBanner />
    </QueryClientProvider>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Page>
      <Fault error={error} />
    </Page>
  )
}
