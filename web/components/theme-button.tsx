import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, themes, useTheme } from '#web/lib/theme.ts'

/** Goes round system, light and dark. All three signs are there; CSS shows the one in force, even before scripts run. */
export function ThemeButton() {
  const theme = useTheme()
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const says = `Theme: ${theme}. Change to ${next}`
  return (
    <button
      type="button"
      className="icon-button theme-button"
      aria-label={says}
      title={says}
      onClick={() => chooseTheme(next)}
    >
      <Monitor size={20} data-theme-sign="system" aria-hidden="true" />
      <Sun size={20} data-theme-sign="light" aria-hidden="true" />
      <Moon size={20} data-theme-sign="dark" aria-hidden="true" />
    </button>
  )
}
