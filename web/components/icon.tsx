// own paths instead of an icon library: every page loads these few icons, and the library is three
// times as large
const lines = {
  left: 'M19 12H5M11 6l-6 6 6 6',
  right: 'M5 12h14M13 6l6 6-6 6',
  basket: 'M3 9h18l-2 10a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1L3 9ZM8 9l3-6M16 9l-3-6',
  menu: 'M4 6h16M4 12h16M4 18h16',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM16 16l4.5 4.5',
  system: 'M4 4h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM12 16v4M8 20h8',
  light:
    'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  seen: 'M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7-10-7-10-7ZM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z',
  hidden:
    'M4 4l16 16M6.6 6.6C3.6 8.6 2 12 2 12s3.5 7 10 7c2 0 3.8-.7 5.3-1.6M10.2 5.2c6.9-1.1 11.8 6.8 11.8 6.8s-.9 1.7-2.6 3.4',
  dark: 'M20.5 14A8.5 8.5 0 0 1 10 3.5a8.5 8.5 0 1 0 10.5 10.5Z',
}

/** One of the shop's icons, 22 px and decorative: the surrounding element has the label. */
export function Icon({ of }: { of: keyof typeof lines }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className="size-5.5"
      data-icon={of}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={lines[of]} />
    </svg>
  )
}
