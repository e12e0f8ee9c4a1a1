/**
 * Sets styles one by one, which a strict content policy allows although it refuses style
 * attributes.
 */
export function style(
  /** @type {HTMLElement} */ element,
  /** @type {Record<string, string>} */ look,
) {
  for (const [name, value] of Object.entries(look)) element.style.setProperty(name, value)
}

/**
 * Creates a frame with its own, opaque origin, so that the page can read nothing in it. Hands it a
 * port each time it loads; all messages use that port.
 * @template Message
 * @param {string} address
 * @param {string} title
 * @param {(message: Message, port: MessagePort) => void} onMessage
 */
export function makeFrame(address, title, onMessage) {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-forms')
  frame.setAttribute('scrolling', 'no')
  frame.setAttribute('allow', "camera 'none'; microphone 'none'; geolocation 'none'")
  frame.title = title
  style(frame, { display: 'block', width: '100%', border: '0', 'color-scheme': 'light only' })
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  frame.src = `${address}#${nonce}`
  frame.addEventListener('load', () => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => onMessage(data, port1)
    // An opaque origin has no name to address; the nonce and the frame's own window replace it.
    frame.contentWindow?.postMessage({ type: 'stripe:connect', nonce }, '*', [port2])
  })
  return frame
}
