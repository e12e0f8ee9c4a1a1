import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The ground of each theme, for what the browser draws around the page. */
export const grounds = { light: '#f5f2ec', dark: '#131517' } as const

const key = 'theme'
const listeners = new Set<() => void>()

function current(): Theme {
  const chosen = document.documentElement.dataset.theme
  return themes.find((theme) => theme === chosen) ?? 'system'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The chosen theme; `system` during hydration, while CSS already shows the right one. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current, () => 'system')
}

/** As in the boot script: a choice comes before what the page says of the system's themes. */
function colourBrowser(theme: Theme): void {
  document.head.querySelector('meta[name="theme-color"]:not([media])')?.remove()
  if (theme === 'system') return
  const meta = document.createElement('meta')
  meta.name = 'theme-color'
  meta.content = grounds[theme]
  document.head.prepend(meta)
}

/** Chooses a theme for this browser. */
export function chooseTheme(theme: Theme): void {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
  colourBrowser(theme)
  // all at once: a transition in each of a hundred places would come late, and hold up the first frame
  root.dataset.changing = ''
  requestAnimationFrame(() => setTimeout(() => delete root.dataset.changing))
  try {
    localStorage.setItem(key, theme)
  } catch {
    // no storage: the choice lasts as long as the page
  }
  for (const listener of listeners) listener()
}
