import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // few routes: the browser knows them all at once and never asks the server for a manifest
  routeDiscovery: { mode: 'initial' },
} satisfies Config
