import { chooseTheme, themes, useTheme } from '#web/lib/theme.ts'
import { Icon } from './icon.tsx'

/** Goes round system, light and dark. All three signs are there; CSS shows the one in force, even before scripts run. */
export function ThemeButton() {
  const theme = useTheme()
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const says = `Theme: ${theme}. Change to ${next}`
  return (
    <button
      type="button"
      className="icon-button theme-button needs-script"
      aria-label={says}
      title={says}
      onClick={() => chooseTheme(next)}
    >
      <Icon of="system" />
      <Icon of="light" />
      <Icon of="dark" />
    </button>
  )
}
