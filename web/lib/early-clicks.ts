import { useEffect, useSyncExternalStore } from 'react'

/**
 * On a slow line people press buttons before the scripts that answer are there. This part of the boot script keeps
 * such a press on the button itself, which says 'loading' (`[data-early]` in forms.css), until `useEarlyClicks` does
 * it. Should the scripts not come at all, the button offers to load the page again. Enter in a field comes as a click on
 * the form's button. What works without scripts is left alone: links, menus, and forms that send themselves.
 */
export const keepEarlyClicks = `
let haveScriptsFailed = false
addEventListener('error', ({ target }) => {
  if (!(target instanceof Element && target.matches('script, link[rel="modulepreload"]'))) return
  haveScriptsFailed = true
  for (const button of document.querySelectorAll('button[data-early]')) button.dataset.early = 'failed'
}, { capture: true })
addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('button')
  if (!button || 'hydrated' in document.documentElement.dataset) return
  if (button.hasAttribute('popovertarget') || (button.type === 'submit' && button.form?.method !== 'post')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (button.dataset.early === 'failed') return location.reload()
  button.dataset.early = haveScriptsFailed ? 'failed' : ''
  button.ariaBusy = String(!haveScriptsFailed)
}, { capture: true })
`

const never = () => () => {}

/** Once per page, around everything: does what was pressed before the scripts came, when every screen is ready for it. */
export function useEarlyClicks(): void {
  // true only after all screens know what the browser alone knows, such as who is logged in
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  useEffect(() => {
    if (!isHydrated) return
    document.documentElement.dataset.hydrated = ''
    for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-early]')) {
      delete button.dataset.early
      button.ariaBusy = null
      button.click()
    }
  }, [isHydrated])
}
