import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // found before the first request, so that development does not reload the first page it shows
  optimizeDeps: {
    entries: ['web/root.tsx', 'web/{pages,shell}/*.tsx'],
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
        // what every page and the home page need at first, in two files: they compress better than twenty, and the
        // libraries change less often. What is imported comes along, what is imported lazily does not.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules\/(react|react-dom|react-router)\// },
            { name: 'shell', test: /web\/(root|pages\/home)\.tsx/ },
          ],
        },
      },
    },
  },
})
