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

/** Every address of the shop. What lies under `guarded.tsx` needs a login. */
export default [
  index('routes/home.tsx', { id: 'start' }),
  route('home', 'routes/home.tsx', { id: 'home' }),
  route('login', 'routes/login.tsx'),
  route('register', 'routes/register.tsx'),
  route('reset-password', 'routes/reset-password.tsx'),
  route('verified', 'routes/verified.tsx'),
  route('blogs', 'routes/blogs.tsx'),
  route('portfolio', 'routes/portfolio.tsx'),
  route('reviews', 'routes/reviews.tsx'),
  ...texts.map((path) => route(path, 'routes/text.tsx', { id: path })),
  layout('routes/guarded.tsx', [
    route('purchase/:id', 'routes/purchase.tsx'),
    route('dashboard', 'routes/dashboard.tsx', [
      index('routes/profile.tsx'),
      route('addReview', 'routes/add-review.tsx'),
      route('myOrders', 'routes/my-orders.tsx'),
      route('order/:id', 'routes/order.tsx'),
      route('payment/:id', 'routes/payment.tsx'),
      layout('routes/owner-guarded.tsx', [
        route('overview', 'routes/overview.tsx'),
        route('users', 'routes/manage-users.tsx'),
        route('addProduct', 'routes/add-product.tsx'),
        route('manageProducts', 'routes/manage-products.tsx'),
        route('manageProducts/import', 'routes/import-products.tsx'),
        route('products/:id', 'routes/edit-product.tsx'),
        route('manageOrders', 'routes/manage-orders.tsx'),
        route('manageReviews', 'routes/manage-reviews.tsx'),
        route('money', 'routes/money.tsx'),
        route('mail', 'routes/mail.tsx'),
        route('record', 'routes/record.tsx'),
      ]),
    ]),
  ]),
  route('sitemap.xml', 'routes/sitemap.ts'),
  route('robots.txt', 'routes/robots.ts'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
