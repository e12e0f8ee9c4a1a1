import { awaitParent } from './connect.js'

const { source = '' } = document.body.dataset
const note = /** @type {HTMLElement} */ (document.getElementById('note'))
const buttons = [...document.querySelectorAll('button')]

awaitParent((port) => {
  for (const button of buttons) {
    button.disabled = false
    button.addEventListener('click', async () => {
      for (const each of buttons) each.disabled = true
      note.textContent = ''
      try {
        const body = new URLSearchParams({ source, outcome: button.value })
        const answer = await fetch('3ds', { method: 'POST', body })
        if (!answer.ok) throw new Error(String(answer.status))
        port.postMessage({ type: 'done' })
      } catch {
        note.textContent = 'The answer could not be sent. Try again.'
        for (const each of buttons) each.disabled = false
      }
    })
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') port.postMessage({ type: 'close' })
  })
  new ResizeObserver(() => {
    const { height } = document.body.getBoundingClientRect()
    port.postMessage({ type: 'height', height: Math.ceil(height) })
  }).observe(document.body)
})
