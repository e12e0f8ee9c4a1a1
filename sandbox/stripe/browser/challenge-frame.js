import { awaitParent } from './parent.js'

/** @typedef {{ type: 'height', height: number } | { type: 'done' | 'close' }} ChallengeMessage */

const { source = '' } = document.body.dataset
const note = /** @type {HTMLElement} */ (document.getElementById('note'))
const buttons = [...document.querySelectorAll('button')]

awaitParent((port) => {
  const post = (/** @type {ChallengeMessage} */ message) => port.postMessage(message)
  for (const button of buttons) {
    button.disabled = false
    button.addEventListener('click', async () => {
      for (const each of buttons) each.disabled = true
      note.textContent = ''
      try {
        const body = new URLSearchParams({ source, outcome: button.value })
        const answer = await fetch('3ds', { method: 'POST', body })
        if (!answer.ok) throw new Error(String(answer.status))
        post({ type: 'done' })
      } catch {
        note.textContent = 'The answer could not be sent. Try again.'
        for (const each of buttons) each.disabled = false
      }
    })
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') post({ type: 'close' })
  })
  new ResizeObserver(() => {
    post({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) })
  }).observe(document.body)
})
