import { base, call } from './api.js'
import { connect, makeFrame } from './connect.js'
import { style, themeOf } from './theme.js'

const looks = {
  light: { background: '#ffffff', color: '#17191b' },
  dark: { background: '#1d2024', color: '#f1f2f4' },
}

/**
 * Asks the customer to authenticate in a dialog and waits until it is over. Closing the dialog is a
 * failed authentication. What came of it is asked from the service afterwards.
 */
export async function authenticate(/** @type {string} */ source) {
  const answered = await showDialog(source)
  if (!answered)
    await call('POST', '/3ds', [
      ['source', source],
      ['outcome', 'fail'],
    ])
}

/** @returns {Promise<boolean>} whether the customer answered inside the frame */
function showDialog(/** @type {string} */ source) {
  const theme = themeOf(document.body)
  const { dialog, panel, close } = buildDialog(theme)
  const query = new URLSearchParams({ source, theme })
  const made = makeFrame(`${base}/3ds?${query}`, 'Card authentication')
  made.frame.name = 'stripe-challenge-frame'
  style(made.frame, {
    display: 'block',
    width: '100%',
    height: '300px',
    border: '0',
    'color-scheme': 'light only',
  })
  const before = document.activeElement
  return new Promise((resolve) => {
    const end = (/** @type {boolean} */ answered) => {
      dialog.close()
      dialog.remove()
      if (before instanceof HTMLElement) before.focus()
      resolve(answered)
    }
    connect(made, ({ type, height }) => {
      if (type === 'height') made.frame.style.height = `${height}px`
      if (type === 'done') end(true)
      if (type === 'close') end(false)
    })
    close.addEventListener('click', () => end(false))
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      end(false)
    })
    panel.append(made.frame)
    document.body.append(dialog)
    dialog.showModal()
  })
}

function buildDialog(/** @type {'light' | 'dark'} */ theme) {
  const dialog = document.createElement('dialog')
  const panel = document.createElement('div')
  const close = document.createElement('button')
  dialog.setAttribute('aria-label', 'Card authentication')
  // The dialog itself is the dark backdrop: ::backdrop cannot be styled from here.
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
