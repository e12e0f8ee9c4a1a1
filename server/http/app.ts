import { Hono } from 'hono'
import { AppError } from '#server/errors.ts'
import { auditRoutes } from '#server/features/audit/routes.ts'
import { buildRoutes } from '#server/features/builds/routes.ts'
import { adminPartRoutes } from '#server/features/catalogue/admin-routes.ts'
import { kindRoutes } from '#server/features/catalogue/kind-routes.ts'
import { partRoutes } from '#server/features/catalogue/routes.ts'
import { deliveryRoutes } from '#server/features/deliveries/routes.ts'
import { deskRoutes } from '#server/features/desk/routes.ts'
import { fitRoutes } from '#server/features/fit/routes.ts'
import { healthCheckRoutes } from '#server/features/health/routes.ts'
import { batchRoutes } from '#server/features/imports/batch-routes.ts'
import { invoiceRoutes } from '#server/features/invoices/routes.ts'
import { machineRoutes } from '#server/features/machine/routes.ts'
import { mailRoutes } from '#server/features/mail/routes.ts'
import { adminOrderRoutes } from '#server/features/orders/admin-routes.ts'
import { checkoutRoutes } from '#server/features/orders/checkout-routes.ts'
import { orderRoutes } from '#server/features/orders/routes.ts'
import { overviewRoutes } from '#server/features/overview/routes.ts'
import { adminPaymentRoutes } from '#server/features/payments/admin-routes.ts'
import { paymentRoutes } from '#server/features/payments/routes.ts'
import { pictureRoutes } from '#server/features/pictures/picture-routes.ts'
import { adminQueueRoutes } from '#server/features/queue/admin-routes.ts'
import { queueRoutes } from '#server/features/queue/routes.ts'
import { reconciliationRoutes } from '#server/features/reconciliation/routes.ts'
import { adminReviewRoutes } from '#server/features/reviews/admin-routes.ts'
import { reviewRoutes } from '#server/features/reviews/routes.ts'
import { wordRoutes } from '#server/features/search/word-routes.ts'
import { pageRoutes } from '#server/features/settings/page-routes.ts'
import { settingsRoutes } from '#server/features/settings/routes.ts'
import { slideRoutes } from '#server/features/settings/slide-routes.ts'
import { textRoutes } from '#server/features/settings/text-routes.ts'
import { shippingRoutes } from '#server/features/shipping/routes.ts'
import { adminTicketRoutes } from '#server/features/tickets/admin-routes.ts'
import { ticketRoutes } from '#server/features/tickets/routes.ts'
import { adminUserRoutes } from '#server/features/users/admin-routes.ts'
import { meRoutes } from '#server/features/users/me-routes.ts'
import { userRoutes } from '#server/features/users/routes.ts'
import { webhookRoutes } from '#server/features/webhooks/routes.ts'
import { limitBodies } from '#server/http/limits/body-limit.ts'
import { refuseOnFullDisk } from '#server/http/limits/disk-guard.ts'
import { loadShedding, lockInTurns, readInTurns } from '#server/http/limits/load-shedding.ts'
import { limitCalls } from '#server/http/limits/rate-limits.ts'
import { setCatalogueCookie, tagAnswers } from '#server/http/pages/response-cache.ts'
import type { Deps } from '#server/wiring.ts'
import { authenticate } from './auth.ts'
import { answerFailure } from './errors.ts'
import { checkRules, type Env, inSection } from './guards.ts'
import { traceCalls } from './metrics.ts'

/** The API under `/api`: the calls of the specification's section 7, and our own. */
export function createApp(deps: Deps) {
  const { admit, release } = loadShedding(deps)
  const base = new Hono<Env>().basePath('/api')
  base.use(traceCalls(deps))
  base.use(admit)
  base.use(refuseOnFullDisk(deps.disk))
  base.use(setCatalogueCookie(deps.catalogue, deps.publicUrl.startsWith('https:')))
  base.use(authenticate(deps))
  base.use(release)
  base.use(limitCalls(deps.rateLimiter))
  base.use(readInTurns(deps))
  base.use(limitBodies(deps.openBodies))
  base.use(lockInTurns(deps))
  base.use(tagAnswers)
  const app = base
    .route('/', inSection('Parts', partRoutes(deps)))
    .route('/', inSection('Parts', adminPartRoutes(deps)))
    .route('/', inSection('Parts', buildRoutes(deps)))
    .route('/', inSection('Parts', machineRoutes(deps)))
    .route('/', inSection('Parts', batchRoutes(deps)))
    .route('/', inSection('Parts', pictureRoutes(deps)))
    .route('/', inSection('Deliveries', deliveryRoutes(deps)))
    .route('/', inSection('Parts', kindRoutes(deps)))
    .route('/', inSection('Parts', wordRoutes(deps)))
    .route('/', inSection('Parts', fitRoutes(deps)))
    .route('/', inSection('Orders', orderRoutes(deps)))
    .route('/', inSection('Orders', checkoutRoutes(deps)))
    .route('/', inSection('Orders', adminOrderRoutes(deps)))
    .route('/', inSection('Shipping', shippingRoutes(deps)))
    .route('/', inSection('Payments', invoiceRoutes(deps)))
    .route('/', inSection('Queue', queueRoutes(deps)))
    .route('/', inSection('Queue', adminQueueRoutes(deps)))
    .route('/', inSection('Payments', paymentRoutes(deps)))
    .route('/', inSection('Payments', adminPaymentRoutes(deps)))
    .route('/', inSection('Tickets', ticketRoutes(deps)))
    .route('/', inSection('Tickets', adminTicketRoutes(deps)))
    .route('/', inSection('Desk', deskRoutes(deps)))
    .route('/', inSection('Reviews', reviewRoutes(deps)))
    .route('/', inSection('Reviews', adminReviewRoutes(deps)))
    .route('/', inSection('Users', userRoutes(deps)))
    .route('/', inSection('Users', meRoutes(deps)))
    .route('/', inSection('Users', adminUserRoutes(deps)))
    .route('/', inSection('Overview', overviewRoutes(deps)))
    .route('/', inSection('Settings', settingsRoutes(deps)))
    .route('/', inSection('Settings', textRoutes(deps)))
    .route('/', inSection('Settings', pageRoutes(deps)))
    .route('/', inSection('Settings', slideRoutes(deps)))
    .route('/', inSection('Audit log', auditRoutes(deps)))
    .route('/', inSection('Money', reconciliationRoutes(deps)))
    .route('/', inSection('Mail', mailRoutes(deps)))
    .route('/', inSection('Health', healthCheckRoutes(deps)))
    .route('/', inSection('Webhooks', webhookRoutes(deps)))
  app.notFound(() => {
    throw new AppError('NOT_FOUND', 'There is no such call')
  })
  app.onError(answerFailure)
  checkRules(app)
  return app
}

/** The browser's client derives from this type. */
export type Api = ReturnType<typeof createApp>
