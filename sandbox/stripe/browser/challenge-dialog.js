import { base, call } from './calls.js'
import { makeFrame, style } from './frames.js'

/** @returns 'dark' when the page's text is light, in any colour notation */
function themeOfPage() {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 'light'
  context.fillStyle = getComputedStyle(document.body).color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? 'dark' : 'light'
}

const looks = {
  light: { background: '#ffffff', color: '#17191b' },
  dark: { background: '#1d2024', color: '#f1f2f4' },
}

/**
 * Asks the customer to authenticate in a dialog and waits until it is over. Closing the dialog
 * counts as a failed authentication. The caller queries the service for the result afterwards.
 */
export async function authenticate(/** @type {string} */ source) {
  const answered = await showDialog(source)
  if (!answered) await call('POST', '/3ds', { source, outcome: 'fail' })
}

/** @returns {Promise<boolean>} whether the customer answered inside the frame */
function showDialog(/** @type {string} */ source) {
  const theme = themeOfPage()
  const { dialog, panel, close } = buildDialog(theme)
  const before = document.activeElement
  return new Promise((resolve) => {
    const end = (/** @type {boolean} */ answered) => {
      dialog.close()
      dialog.remove()
      if (before instanceof HTMLElement) before.focus()
      resolve(answered)
    }
    const address = `${base}/3ds?${new URLSearchParams({ source, theme })}`
    /** @type {(message: import('./challenge-frame.js').ChallengeMessage) => void} */
    const receive = (message) => {
      if (message.type === 'height') frame.style.height = `${message.height}px`
      if (message.type === 'done') end(true)
      if (message.type === 'close') end(false)
    }
    const frame = makeFrame(address, 'Card authentication', receive)
    frame.name = 'stripe-challenge-frame'
    frame.style.height = '300px'
    close.addEventListener('click', () => end(false))
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      end(false)
    })
    panel.append(frame)
    document.body.append(dialog)
    dialog.showModal()
  })
}

function buildDialog(/** @type {'light' | 'dark'} */ theme) {
  const dialog = document.createElement('dialog')
  const panel = document.createElement('div')
  const close = document.createElement('button')
  dialog.setAttribute('aria-label', 'Card authentication')
  // The dialog itself is the dark backdrop, because ::backdrop cannot be styled from here.
  style(dialog, {
    position: 'fixed',
    inset: '0',
    width: '100vw',
    height: '100dvh',
    'max-width': 'none',
    'max-height': 'none',
    margin: '0',
    padding: '16px',
    border: '0',
    'box-sizing': 'border-box',
    display: 'grid',
    'place-items': 'center',
    overflow: 'auto',
    background: 'rgb(10 12 14 / 60%)',
  })
  style(panel, {
    ...looks[theme],
    width: '100%',
    'max-width': '440px',
    overflow: 'hidden',
    'border-radius': '20px',
    'font-family': 'system-ui, sans-serif',
  })
  close.type = 'button'
  close.textContent = '✕'
  close.setAttribute('aria-label', 'Close')
  style(close, {
    display: 'block',
    'margin-left': 'auto',
    width: '48px',
    height: '48px',
    border: '0',
    background: 'transparent',
    color: 'inherit',
    'font-size': '18px',
    cursor: 'pointer',
  })
  panel.append(close)
  dialog.append(panel)
  return { dialog, panel, close }
}
