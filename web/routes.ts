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

/** Every address of the shop. What lies under `require-login.tsx` needs a login, under `require-admin.tsx` admin rights. */
export default [
  index('pages/home.tsx', { id: 'start' }),
  route('home', 'pages/home.tsx', { id: 'home' }),
  route('login', 'pages/login.tsx'),
  route('register', 'pages/register.tsx'),
  route('reset-password', 'pages/reset-password.tsx'),
  route('verified', 'pages/verified.tsx'),
  route('blogs', 'pages/blogs.tsx'),
  route('portfolio', 'pages/portfolio.tsx'),
  route('reviews', 'pages/reviews.tsx'),
  ...texts.map((path) => route(path, 'pages/text.tsx', { id: path })),
  layout('shell/require-login.tsx', [
    route('purchase/:id', 'pages/purchase.tsx'),
    route('dashboard', 'shell/dashboard.tsx', [
      index('pages/profile.tsx'),
      route('addReview', 'pages/add-review.tsx'),
      route('myOrders', 'pages/my-orders.tsx'),
      route('order/:id', 'pages/order.tsx'),
      route('payment/:id', 'pages/payment.tsx'),
      layout('shell/require-admin.tsx', [
        route('overview', 'pages/overview.tsx'),
        route('users', 'pages/manage-users.tsx'),
        route('addProduct', 'pages/add-product.tsx'),
        route('manageProducts', 'pages/manage-products.tsx'),
        route('manageProducts/import', 'pages/import-products.tsx'),
        route('products/:id', 'pages/edit-product.tsx'),
        route('manageOrders', 'pages/manage-orders.tsx'),
        route('manageReviews', 'pages/manage-reviews.tsx'),
        route('money', 'pages/money.tsx'),
        route('mail', 'pages/mail.tsx'),
        route('audit', 'pages/audit-log.tsx'),
      ]),
    ]),
  ]),
  route('sitemap.xml', 'pages/sitemap.ts'),
  route('robots.txt', 'pages/robots.ts'),
  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig
