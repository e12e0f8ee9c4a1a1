import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

const texts = [
  'how-booking-works',
  'card-payment',
  'delivery',
  'returns',
  'about',
  'contact',
  'terms',
  'privacy',
  'storage',
  'imprint',
]

/**
 * All routes of the shop. Each is a screen of a feature, or a page that composes several. Routes
 * under `require-login.tsx` need a login, those under `require-admin.tsx` admin rights.
 */
export default [
  index('pages/home.tsx', { id: 'start' }),
  route('home', 'pages/home.tsx', { id: 'home' }),
  route('login', 'features/users/login-screen.tsx'),
  route('register', 'features/users/sign-up-screen.tsx'),
  route('reset-password', 'features/users/reset-password-screen.tsx'),
  route('verified', 'features/users/verified-screen.tsx'),
  route('blogs', 'pages/blogs.tsx'),
  route('portfolio', 'pages/portfolio.tsx'),
  route('part/:address', 'pages/part.tsx'),
  route('parts', 'features/search/list-screen.tsx', { id: 'parts' }),
  route('parts/:kind', 'features/search/list-screen.tsx', { id: 'kind' }),
  route('compare', 'features/catalogue/compare-screen.tsx'),
  route('basket', 'features/basket/basket-screen.tsx'),
  route('reviews', 'features/reviews/all-reviews-screen.tsx'),
  ...texts.map((path) => route(path, 'pages/text.tsx', { id: path })),
  layout('shell/require-login.tsx', [
    route('purchase/:id', 'pages/purchase.tsx'),
    route('purchase', 'pages/purchase-basket.tsx'),
    route('dashboard', 'shell/dashboard.tsx', [
      index('features/users/profile-screen.tsx'),
      route('addReview', 'pages/add-review.tsx'),
      route('myOrders', 'pages/my-orders.tsx'),
      route('order/:id', 'pages/order.tsx'),
      route('payment/:id', 'pages/payment.tsx'),
      layout('shell/require-admin.tsx', [
        route('overview', 'features/overview/overview-screen.tsx'),
        route('users', 'features/users/manage-users-screen.tsx'),
        route('addProduct', 'features/catalogue/add-part-screen.tsx'),
        route('manageProducts', 'features/catalogue/manage-parts-screen.tsx'),
        route('manageProducts/import', 'features/imports/import-parts-screen.tsx'),
        route('manageProducts/pictures', 'features/pictures/pictures-screen.tsx'),
        route('manageProducts/bulk', 'features/imports/bulk-edit-screen.tsx'),
        route('products/:id', 'pages/edit-product.tsx'),
        route('deliveries', 'features/deliveries/deliveries-screen.tsx'),
        route('deliveries/new', 'features/deliveries/add-delivery-screen.tsx'),
        route('deliveries/:id', 'features/deliveries/delivery-screen.tsx'),
        route('manageOrders', 'features/orders/manage-orders-screen.tsx'),
        route('kinds', 'features/kinds/kinds-screen.tsx'),
        route('kinds/:slug', 'features/kinds/kind-screen.tsx'),
        route('words', 'features/search/words-screen.tsx'),
        route('manageReviews', 'features/reviews/manage-reviews-screen.tsx'),
        route('money', 'features/reconciliation/money-screen.tsx'),
        route('health', 'features/health/health-screen.tsx'),
        route('mail', 'features/mail/mail-screen.tsx'),
        route('integrations', 'features/integrations/integrations-screen.tsx'),
        route('audit', 'features/audit/audit-log-screen.tsx'),
      ]),
    ]),
  ]),
  route('sitemap.xml', 'pages/sitemap.ts', { id: 'sitemap' }),
  route('sitemaps/:file', 'pages/sitemap.ts', { id: 'sitemaps' }),
  route('robots.txt', 'pages/robots.ts'),
  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig
