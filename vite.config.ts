import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const forms =
  /node_modules\/(zod|react-hook-form|@hookform)\/|web\/components\/(field|form)\.tsx|contracts\/users\.ts|web\/lib\/(draft|use-draft)\.ts/
const lists =
  /web\/(components\/(list-|dialogs|drop-zone|export-|row-)|lib\/(lists\/(list-page|use-list)|send-file))/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // listed here, so that development does not reload the first page that it shows
  optimizeDeps: {
    entries: ['web/root.tsx', 'web/{pages,shell}/*.tsx', 'web/features/*/*-screen.tsx'],
    include: ['react-dom/client', 'react-router/dom'],
  },
  // their content policy is not that of pages (web-build.ts)
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: 'assets/worker-[name]-[hash].js' } },
  },
  // bundles a handful of icons instead of loading 1,700 modules at the server's start
  ssr: { noExternal: ['lucide-react'] },
  build: {
    // no inlined files and no preload polyfill, because the content security policy allows neither
    assetsInlineLimit: 0,
    // these browsers support light-dark(), so a theme changes one property of a page instead of two
    // of each element (decision 0030)
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A few large files compress better than many small ones, and the route manifest on every
        // page lists them all. `base` and `shell` are what the home page needs first, `calls` is
        // for API calls, `forms` is for all forms, and `lists` is shared by the dashboard's
        // screens. A group includes its imports, except lazy ones.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules\/(react|react-dom|react-router)\// },
            { name: 'shell', test: /web\/(root|pages\/home|lib\/use-newest-location)\.tsx?/ },
            { name: 'calls', test: /web\/(lib\/api|features\/users\/queries)\.ts/ },
            { name: 'messages', test: /contracts\/messages\.ts/ },
            { name: 'login', test: /users\/(auth-form|mailed-links|why-account)\.tsx/ },
            { name: 'forms', test: forms },
            { name: 'lists', test: lists },
          ],
        },
      },
    },
  },
})
