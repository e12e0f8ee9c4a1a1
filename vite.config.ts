import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // found before the first request, so that development does not reload the first page it shows
  optimizeDeps: {
    entries: ['web/root.tsx', 'web/routes/*.tsx'],
    include: ['react-dom/client', 'react-router/dom'],
  },
  // a handful of icons in the server's bundle instead of 1,700 modules at its start
  ssr: { noExternal: ['lucide-react'] },
  build: {
    // no inlined files and no preload polyfill: the content security policy allows neither
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // what every page needs, in two files: they compress better than twenty, and change at different times
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|react-router)\/|@tanstack\/.*\/(query(Client|Observer)|use(Base)?Query|QueryClientProvider|queryOptions)\./,
            },
            {
              name: 'shell',
              test: /web\/(lib\/(?!api\.|exchange|return-path|toasts|use-draft|server-clock|use-signed-out|identity\/(embedded|messages|popup|handled))|components\/(?!field|spinner|text-area|confirm|carousel|use-slides)|content\/(site|public)-pages)|contracts\/(money|stock)/,
            },
            {
              name: 'home',
              test: /web\/(features\/(parts\/(?!later-slides|best-seller)|reviews\/reviews-query)|components\/(carousel|use-slides))/,
            },
          ],
        },
      },
    },
  },
})
