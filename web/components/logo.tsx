import { logoFiles, logoPath } from '#contracts/logo.ts'
import { useShopLogo } from '#web/lib/use-shop.ts'

/** The shop's logo: the owner's, or a ring core, half of it wound with copper. */
export function Logo({ className = 'size-8' }: { className?: string }) {
  const logo = useShopLogo()
  if (logo) {
    const { header } = logoFiles
    return (
      <img
        src={logoPath(logo, 'header')}
        alt=""
        width={header}
        height={header}
        className={className}
      />
    )
  }
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path d="M17.4 3a13 13 0 0 1 0 26v-8a5 5 0 0 0 0-10z" fill="currentColor" />
      <path
        d="M16.4 21l-1.2 9.7-5.8-1.9 4.8-8.5zM13.5 19.8L6.9 27 3.3 22l8.9-4.1zM11.9 17.2l-9.6 1.9v-6.2l9.6 1.9zM12.2 14.1L3.3 10 6.9 5l6.6 7.2zM14.2 11.7L9.4 3.2l5.8-1.9 1.2 9.7z"
        fill="#d9773b"
      />
    </svg>
  )
}
