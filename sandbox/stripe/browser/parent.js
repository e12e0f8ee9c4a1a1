/**
 * Waits for the surrounding page to send a port. Accepts it only from that page, from this frame's
 * own origin, and with the nonce that the page put into the URL.
 * @param {(port: MessagePort) => void} start
 */
export function awaitParent(start) {
  const nonce = location.hash.slice(1)
  const { origin } = new URL(location.href)
  /** @param {MessageEvent} event */
  const receive = (event) => {
    if (event.source !== window.parent || event.origin !== origin) return
    if (event.data?.type !== 'stripe:connect' || !nonce || event.data.nonce !== nonce) return
    const [port] = event.ports
    if (!port) return
    window.removeEventListener('message', receive)
    start(port)
  }
  window.addEventListener('message', receive)
}
