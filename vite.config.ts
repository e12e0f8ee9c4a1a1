import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const forms =
  /node_modules\/(zod|react-hook-form|@hookform)\/|web\/components\/(field|form)\.tsx|contracts\/users\.ts|web\/lib\/(draft|use-draft)\.ts/
const lists =
  /web\/(components\/(list-|dialogs|drop-zone|export-|row-)|lib\/(list-page|use-list|send-file))/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // found before the first request, so that development does not reload the first page it shows
  optimizeDeps: {
    entries: ['web/root.tsx', 'web/{pages,shell}/*.tsx', 'web/features/*/*-screen.tsx'],
    include: ['react-dom/client', 'react-router/dom'],
  },
  // a handful of icons in the server's bundle instead of 1,700 modules at its start
  ssr: { noExternal: ['lucide-react'] },
  build: {
    // no inlined files and no preload polyfill: the content security policy allows neither
    assetsInlineLimit: 0,
    // these know light-dark(): a theme then changes one property of a page and not two of each of its elements (decision 0030)
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files compress better than many, and the route manifest that every page carries names each of them.
        // `base` and `shell` are what the home page needs first, `calls` is what asks the API, `forms` is what every form
        // needs, `lists` is what the dashboard's screens share. A group takes along what it imports, but not what it
        // imports lazily.
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
