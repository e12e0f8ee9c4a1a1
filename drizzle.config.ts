import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './server/database/schema.ts',
    './server/database/payment-schema.ts',
    './server/database/mail-schema.ts',
    './server/database/profile-schema.ts',
    './server/database/review-schema.ts',
    './server/database/session-schema.ts',
    './server/database/audit-schema.ts',
    './server/database/catalogue-schema.ts',
    './server/database/picture-schema.ts',
    './server/database/shop-schema.ts',
    './server/database/identity-schema.ts',
  ],
  out: './drizzle',
})
