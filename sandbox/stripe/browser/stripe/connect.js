/** A frame with its own, opaque origin: nothing in it can be read from the page. */
export function makeFrame(/** @type {string} */ address, /** @type {string} */ title) {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-forms')
  frame.setAttribute('frameborder', '0')
  frame.setAttribute('scrolling', 'no')
  frame.setAttribute('allow', "camera 'none'; microphone 'none'; geolocation 'none'")
  frame.title = title
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  frame.src = `${address}#${nonce}`
  return { frame, nonce }
}

/** Hands the frame a port each time it loads; messages come by that port and no other way. */
export function connect(
  { frame, nonce },
  /** @type {(data: any, port: MessagePort) => void} */ hear,
) {
  frame.addEventListener('load', () => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => hear(data, port1)
    // An opaque origin has no name to send to; the nonce and the frame's own window stand for it.
    frame.contentWindow?.postMessage({ type: 'stripe:connect', nonce }, '*', [port2])
  })
}
