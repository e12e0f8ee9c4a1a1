const width = 500
const height = 600
const pollEvery = 2000
const actAfter = 2000

const middle = (available: number, size: number) => Math.max((available - size) / 2, 0)

/** Opens a window of 500×600 in the middle of the screen; null when the browser blocks it. Call it inside the click. */
export function openPopup(url: string, name: string): Window | null {
  const features = {
    width,
    height,
    left: middle(screen.availWidth, width),
    top: middle(screen.availHeight, height),
    location: 'yes',
    resizable: 'yes',
    statusbar: 'yes',
    toolbar: 'no',
    scrollbars: 'yes',
  }
  const list = Object.entries(features).map(([feature, value]) => `${feature}=${value}`)
  const popup = window.open(url, name, list.join(','))
  try {
    popup?.focus()
  } catch {
    // some browsers do not let a page move the focus; the window is there all the same
  }
  return popup
}

/**
 * Looks at once and every 2000 ms whether the window was closed, and calls back 2000 ms after that was seen: what its
 * last page said may still be on its way. `signal` ends the watch.
 */
export function onceClosed(popup: Window, signal: AbortSignal, callback: () => void): void {
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    timer = popup.closed ? setTimeout(callback, actAfter) : setTimeout(look, pollEvery)
  }
  look()
  signal.addEventListener('abort', () => clearTimeout(timer))
}
