import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // no inlined files and no preload polyfill: the content security policy allows neither
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
})
