import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useRouteLoaderData,
} from 'react-router'
import { logoPath } from '#contracts/logo.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import type { Shop } from '#contracts/shop.ts'
import styles from '#web/app.css?inline'
import { ErrorPage } from '#web/components/error-page.tsx'
import { canonicalUrl, shownPages, sitePages } from '#web/content/site-pages.ts'
import bricolage from '#web/fonts/bricolage.woff2?url'
import geist from '#web/fonts/geist.woff2?url'
import instrument from '#web/fonts/instrument.woff2?url'
import instrumentSemibold from '#web/fonts/instrument-semibold.woff2?url'
import { bootScript } from '#web/lib/loading/boot-script.ts'
import { utcDay } from '#web/lib/moments.ts'
import { pageMeta, previewPicture } from '#web/lib/page-meta.ts'
import { browserQueryClient, makeQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { grounds } from '#web/lib/theme.ts'
import { showWaitingToast, toast } from '#web/lib/toasts/toast.ts'
import { Toasts } from '#web/lib/toasts/toasts.tsx'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { usePageFocus } from '#web/lib/use-page-focus.ts'
import { useShopLogo } from '#web/lib/use-shop.ts'
import { OfflineBanner } from '#web/shell/offline-banner.tsx'
import { SiteFooter } from '#web/shell/site-footer.tsx'
import { SiteHeader } from '#web/shell/site-header.tsx'
import type { Route } from './+types/root'

// in development Vite serves the style sheet too, and reloads it on changes
if (import.meta.env.DEV) void import('#web/app.css')

export const links: Route.LinksFunction = () => [{ rel: 'manifest', href: '/site.webmanifest' }]

/** The shop's icon in tabs and on phones. */
function Icons() {
  const logo = useShopLogo()
  if (logo) {
    return (
      <>
        <link rel="icon" href={logoPath(logo, 'tab')} type="image/png" />
        <link rel="apple-touch-icon" href={logoPath(logo, 'apple')} />
      </>
    )
  }
  return (
    <>
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </>
  )
}

export const meta: Route.MetaFunction = ({ error, matches: [root] }) =>
  pageMeta(
    root?.loaderData?.shop,
    error ? 'Something went wrong' : '',
    root?.loaderData?.shop.facts.slogan,
  )

export function loader({ context }: Route.LoaderArgs) {
  return { shop: context.get(shopContext).shop, year: new Date().getFullYear() }
}

/** The shop's settings do not change while a page is open. */
export function shouldRevalidate() {
  return false
}

/** For search engines and link previews: the page's canonical URL and picture, or `noindex`. */
function PageFacts() {
  const shop = useRouteLoaderData<typeof loader>('root')?.shop
  const { pathname } = useLocation()
  const canonical = shop && canonicalUrl(shop, pathname)
  if (useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.ownFacts)) return null
  if (!canonical) return <meta name="robots" content="noindex" />
  return (
    <>
      <link rel="canonical" href={canonical} />
      <meta property="og:url" content={canonical} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={shop?.facts.name} />
      {previewPicture(shop).map((each) => (
        <meta key={each.content} {...each} />
      ))}
    </>
  )
}

/**
 * The Firebase settings for `lib/identity/provider.ts`, stored in the page so that the browser
 * needs no code for them.
 */
function FirebaseFacts() {
  const firebase = useRouteLoaderData<typeof loader>('root')?.shop.identity.firebase
  return firebase && <meta name="firebase" content={JSON.stringify(firebase)} />
}

/** Preloads the fonts of the first paint. A page that runs scripts has already loaded them. */
function FontPreloads() {
  return [bricolage, instrument, instrumentSemibold, geist].map((href) => (
    <link
      key={href}
      rel="preload"
      href={href}
      as="font"
      type="font/woff2"
      crossOrigin="anonymous"
    />
  ))
}

const pageEnd = 'page-end'

/** The document of every page, including error pages. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {/* the browser has already run it when it hydrates: the text is only needed once */}
        <script
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? bootScript : '' }}
        />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={grounds.light} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={grounds.dark} />
        <Meta />
        <PageFacts />
        {import.meta.env.SSR && <FirebaseFacts />}
        {import.meta.env.SSR && <FontPreloads />}
        {/* inlined, so that the page needs no second request before it is painted; the browser
            identifies the style by its name */}
        <style href="app" precedence="app">
          {import.meta.env.SSR ? styles : ''}
        </style>
        <Links />
        <Icons />
        {/* no paint before the whole page is parsed: the heights of half a page differ, and
            visible content would move */}
        <link rel="expect" href={`#${pageEnd}`} blocking="render" />
      </head>
      <body className="flex min-h-dvh flex-col">
        {children}
        <EarlyInput />
        <span id={pageEnd} hidden />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

/** States what is simulated in this shop. */
function Notice({ shop: { payments, mailbox } }: { shop: Shop }) {
  if (!payments.sandbox && !mailbox) return null
  return (
    <p className="bg-graphite px-4 py-1.5 text-balance text-center font-mono text-xs text-on-graphite">
      {payments.sandbox && 'Payments are simulated: no card is charged. '}
      {mailbox && (
        <>
          Mails are not sent:{' '}
          <a href={mailbox} className="underline hover:text-on-graphite-copper">
            read them here
          </a>
          .
        </>
      )}
    </p>
  )
}

/** States until when the shop is away. */
const Vacation = ({ until }: { until: string }) => (
  <p className="border-line border-b bg-paper px-4 py-2 text-balance text-center text-sm">
    We’re away until {utcDay(until)}. You can book and pay as usual; we’ll ship when we’re back.
  </p>
)

function Page({ children }: { children: ReactNode }) {
  const rootData = useRouteLoaderData<typeof loader>('root')
  return (
    <>
      <a href="#content" className="skip-link">
        Skip to the content
      </a>
      {rootData && <Notice shop={rootData.shop} />}
      {rootData?.shop.facts.vacationTo && <Vacation until={rootData.shop.facts.vacationTo} />}
      <SiteHeader />
      <main id="content" className="flex-1">
        {children}
      </main>
      <SiteFooter
        groups={rootData ? shownPages(rootData.shop) : sitePages}
        renderedIn={rootData?.year}
      />
    </>
  )
}

export default function App() {
  const [client] = useState(() =>
    typeof document === 'undefined' ? makeQueryClient() : browserQueryClient(),
  )
  usePageFocus()
  usePageTimeout()
  useNextPages()
  useEffect(showWaitingToast, [])
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
      <ErrorPage error={error} />
    </Page>
  )
}

/**
 * Submits the forms that scripts submit on each change, with the values chosen before the scripts
 * loaded.
 */
function sendEarlyChoices(): void {
  const forms = new Set<HTMLFormElement>()
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    '[data-live] :is(input, select)[data-early]',
  )) {
    const { early = '' } = control.dataset
    delete control.dataset.early
    // React has reset some controls to the rendered value
    if (control instanceof HTMLInputElement && control.type === 'checkbox')
      control.checked = early === 'true'
    else control.value = early
    if (control.form) forms.add(control.form)
  }
  for (const form of forms) form.requestSubmit()
}

/**
 * Replays the input that the boot script remembered, once per page, as soon as every screen can
 * handle it. It renders nothing itself: that would re-render its parent when a phone is busiest.
 */
function EarlyInput(): null {
  // true only once all screens have the browser's own state, such as who is logged in
  const isHydrated = useHydrated()
  useEffect(() => {
    if (!isHydrated) return
    document.documentElement.dataset.hydrated = ''
    for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-early]')) {
      delete button.dataset.early
      button.ariaBusy = null
      button.click()
    }
    sendEarlyChoices()
  }, [isHydrated])
  return null
}

/**
 * Preloads the scripts of the most likely next pages once this one is idle, so that on a slow
 * connection a tap waits only for data. Skipped for visitors who save data.
 */
function useNextPages(): void {
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } }
    if (connection?.saveData) return
    const timer = setTimeout(async () => {
      // offline: nothing to preload
      const scripts = await import('#web/lib/loading/next-pages.ts').catch(() => undefined)
      const isVisitor = document.documentElement.dataset.session === 'visitor'
      const login = isVisitor ? ['features/users/login-screen'] : []
      scripts?.preloadScripts(['kind', 'pages/part', 'pages/purchase', ...login])
    }, 2000)
    return () => clearTimeout(timer)
  }, [])
}

/** The timeout for loading a page's script, in milliseconds. */
const pageTimeoutMs = 120_000

/**
 * Limits the wait for a page: after two minutes the current page stays, and a message explains why.
 */
function usePageTimeout(): void {
  const isLoading = useNavigation().state === 'loading'
  const here = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => {
      // navigating to the current page cancels the pending navigation
      void navigate(here, { replace: true, preventScrollReset: true })
      void toast('error', 'This page could not be loaded. Check your connection and try again.')
    }, pageTimeoutMs)
    return () => clearTimeout(timer)
  }, [isLoading, here, navigate])
}
