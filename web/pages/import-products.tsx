import '#web/styles/part-form.css'
import '#web/styles/part-import.css'
import { ImportPartsScreen } from '#web/features/parts/import-parts-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Import products')

export default function ImportProducts() {
  return <ImportPartsScreen />
}
