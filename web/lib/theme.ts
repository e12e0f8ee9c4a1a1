import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The background of each theme, for the browser's own bars. */
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

/**
 * As in the boot script: the user's choice overrides the page's colours for the system's themes.
 */
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
  // without transitions: a hundred of them would start late and delay the first frame
  root.dataset.changing = ''
  requestAnimationFrame(() => setTimeout(() => delete root.dataset.changing))
  try {
    localStorage.setItem(key, theme)
  } catch {
    // no storage: the choice lasts as long as the page
  }
  for (const listener of listeners) listener()
}
