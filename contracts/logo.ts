/** The shop's own logo: uploaded once, and made in the sizes that pages and devices ask for. */
// without zod, because every page shows the logo

/** The files of a logo with their widths in pixels. All are square PNGs. */
export const logoFiles = {
  /** In tabs and bookmarks. */
  tab: 48,
  /** In the header and the footer, at three times their size. */
  header: 84,
  /** Among the apps of a phone, on a ground of its own. */
  apple: 180,
  small: 192,
  large: 512,
  /** The same with a margin, which the device cuts to its own shape. */
  maskable: 512,
} as const
export type LogoFile = keyof typeof logoFiles
export const logoFileNames = Object.keys(logoFiles) as [LogoFile, ...LogoFile[]]

/** The addresses that browsers and programs ask for by themselves, and which file of a logo fits. */
export const iconFiles: Record<string, LogoFile> = {
  '/favicon.ico': 'tab',
  '/favicon.svg': 'tab',
  '/apple-touch-icon.png': 'apple',
  '/icon-192.png': 'small',
  '/icon-512.png': 'large',
  '/icon-maskable-512.png': 'maskable',
}

/** @param logo the hash of the uploaded file */
export const logoPath = (logo: string, file: LogoFile): string => `/logo/${logo}/${file}.png`
