// Replaces https://apis.google.com/js/api.js: the part of Google's library through which a page and
// its frame communicate. The SDK loads it in the page, and the frame of Firebase or its emulator
// loads it again.
{
  /** @typedef {(data: unknown) => unknown} Handler */
  /** @typedef {(results: unknown[]) => void} Callback */

  const peer = (/** @type {() => Window | null} */ other) => {
    /** @type {Map<string, Handler>} */
    const handlers = new Map()
    /** @type {Callback[]} */
    const waiting = []
    const say = (/** @type {object} */ message) =>
      other()?.postMessage({ gapi: true, ...message }, '*')
    addEventListener('message', async ({ source, data }) => {
      if (!data?.gapi || source !== other()) return
      const handler = handlers.get(data.type)
      if (handler) say({ answerTo: data.id, result: await handler(data.data) })
      if (!('answerTo' in data)) return
      try {
        waiting[data.answerTo]?.([data.result])
      } catch {
        // the SDK throws after each response about storage
      }
    })
    return {
      restyle: async () => {},
      register(/** @type {string} */ type, /** @type {Handler} */ handler) {
        handlers.set(type, handler)
      },
      send(
        /** @type {string} */ type,
        /** @type {unknown} */ data,
        /** @type {Callback} */ callback,
      ) {
        say({ type, data, id: waiting.push(callback ?? (() => {})) - 1 })
      },
    }
  }

  /** @typedef {{ where: HTMLElement, url: string }} Options */
  const context = {
    open(/** @type {Options} */ { where, url }, /** @type {(iframe: object) => unknown} */ opened) {
      const frame = document.createElement('iframe')
      frame.hidden = true
      const isThere = new Promise((resolve) => frame.addEventListener('load', resolve))
      frame.src = url
      where.append(frame)
      const iframe = peer(() => frame.contentWindow)
      return opened({ ...iframe, ping: (/** @type {() => void} */ answer) => isThere.then(answer) })
    },
    getParentIframe: () => peer(() => parent),
  }

  const load = (/** @type {string} */ _, /** @type {{ callback: () => void }} */ { callback }) =>
    callback()
  const iframes = {
    getContext: () => context,
    CROSS_ORIGIN_IFRAMES_FILTER: () => true,
    Iframe: peer,
  }
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript)
  const name = new URL(src).searchParams.get('onload') ?? 'gapi_onload'
  Object.assign(globalThis, { gapi: { load, iframes } })
  Reflect.get(globalThis, name)?.()
}
