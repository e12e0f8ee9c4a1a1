import { Link, NavLink, useLocation, useNavigate, useNavigation } from 'react-router'
import { buildPath } from '#contracts/basket.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { Logo } from '#web/components/logo.tsx'
import { isHidden } from '#web/content/site-pages.ts'
import { BasketLink } from '#web/features/basket/basket-link.tsx'
import { SearchField } from '#web/features/search/search-field.tsx'
import { useBasket } from '#web/lib/basket.ts'
import { endSession, useSession } from '#web/lib/session/session.ts'
import { chooseTheme, themes, useTheme } from '#web/lib/theme.ts'
import { useShop, useShopName } from '#web/lib/use-shop.ts'

/**
 * Cycles through system, light and dark. All three icons are rendered; CSS shows the current one,
 * even before scripts run.
 */
function ThemeButton() {
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

/** A thin bar below the header while the next page loads; CSS hides it for fast loads. */
function PendingBar() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div className="pending-bar" role="progressbar" aria-label="Loading the page" />
}

const menuId = 'site-menu'

function closeMenu() {
  document.getElementById(menuId)?.hidePopover()
}

/** The site's pages. Dashboard is shown only to users: CSS decides before the first paint. */
function SitePages() {
  const { pathname } = useLocation()
  const { facts } = useShop()
  const isHome = pathname === '/' || pathname === '/home'
  return (
    <>
      <Link
        className="nav-link"
        to="/"
        aria-current={isHome ? 'page' : undefined}
        onClick={closeMenu}
      >
        Home
      </Link>
      <NavLink className="nav-link" to="/parts" onClick={closeMenu}>
        Parts
      </NavLink>
      <NavLink className="nav-link" to={buildPath(useBasket())} onClick={closeMenu}>
        Build
      </NavLink>
      {!isHidden('/blogs', facts) && (
        <NavLink className="nav-link" to="/blogs" onClick={closeMenu}>
          Blogs
        </NavLink>
      )}
      <NavLink className="nav-link" data-for="user" to="/dashboard" onClick={closeMenu}>
        Dashboard
      </NavLink>
      {!isHidden('/portfolio', facts) && (
        <NavLink className="nav-link" to="/portfolio" onClick={closeMenu}>
          My portfolio
        </NavLink>
      )}
    </>
  )
}

/**
 * Login and Sign Up, or the user's name and Logout. The name has a fixed width, so nothing moves
 * when it appears.
 */
function Account() {
  const { user } = useSession()
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  // on either page the link keeps the return path
  const kept = pathname === '/login' || pathname === '/register' ? state : null
  const logout = () => {
    closeMenu()
    endSession()
    void navigate('/login')
  }
  return (
    <>
      <NavLink className="nav-link" data-for="visitor" to="/login" state={kept} onClick={closeMenu}>
        Login
      </NavLink>
      <ButtonLink
        variant="quiet"
        data-for="visitor"
        to="/register"
        state={kept}
        onClick={closeMenu}
      >
        Sign Up
      </ButtonLink>
      <span
        data-for="user"
        className="h-6 w-36 truncate px-3 text-dim lg:text-end"
        title={user?.email}
      >
        {user?.name}
      </span>
      <button type="button" data-for="user" className="button button-quiet" onClick={logout}>
        Logout
      </button>
    </>
  )
}

/**
 * The bar at the top of every page; on a phone the links are in a menu that opens without a script.
 */
export function SiteHeader() {
  const name = useShopName()
  return (
    <header className="site-header">
      <div className="column flex h-[72px] items-center gap-2">
        <Link to="/" className="me-3 inline-flex min-h-11 items-center gap-2.5" aria-label={name}>
          <Logo className="size-7 shrink-0" />
          <span
            className={`font-display font-bold tracking-tight ${name.length > 8 ? 'long-name' : 'whitespace-nowrap text-2xl'}`}
          >
            {name}
          </span>
        </Link>
        <nav aria-label="Main" className="hidden items-center lg:flex">
          <SitePages />
        </nav>
        <div className="ms-auto flex min-w-0 items-center gap-2">
          <SearchField />
          <div className="hidden items-center gap-2 lg:flex">
            <Account />
          </div>
          <BasketLink />
          <ThemeButton />
          <button
            type="button"
            className="icon-button lg:hidden"
            popoverTarget={menuId}
            aria-label="Menu"
          >
            <Icon of="menu" />
          </button>
        </div>
      </div>
      <nav id={menuId} popover="auto" aria-label="Menu" className="menu lg:hidden">
        <SitePages />
        <div className="mt-2 flex items-center justify-between gap-2 border-t border-line pt-3">
          <Account />
        </div>
      </nav>
      <PendingBar />
    </header>
  )
}
