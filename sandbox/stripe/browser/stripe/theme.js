/** 'dark' where the text is light, whatever notation the page writes its colours in. */
export function themeOf(/** @type {Element} */ element) {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 'light'
  context.fillStyle = getComputedStyle(element).color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? 'dark' : 'light'
}

/** Sets styles one by one, which a strict content policy allows where style attributes are refused. */
export function style(
  /** @type {HTMLElement} */ element,
  /** @type {Record<string, string>} */ look,
) {
  for (const [name, value] of Object.entries(look)) element.style.setProperty(name, value)
}
