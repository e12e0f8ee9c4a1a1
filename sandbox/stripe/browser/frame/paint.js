const svg = 'http://www.w3.org/2000/svg'

/** Small drawn marks: a coloured card with a word, or two circles. */
const marks = {
  visa: { fill: '#1a1f71', word: 'VISA', size: 9.5 },
  amex: { fill: '#006fcf', word: 'AMEX', size: 8 },
  discover: { fill: '#e55c20', word: 'DISC', size: 8 },
  jcb: { fill: '#0b7c3f', word: 'JCB', size: 9.5 },
  diners: { fill: '#0a5b99', word: 'DINERS', size: 6 },
  unionpay: { fill: '#0a6d6e', word: 'UPay', size: 8 },
  mastercard: { fill: '#252525', circles: ['#eb001b', '#f79e1b'] },
}

/** Draws the brand's mark, or an outlined card while the brand is unknown. */
export function drawBrand(/** @type {Element} */ holder, /** @type {string} */ brand) {
  const mark = marks[brand]
  const root = element('svg', { viewBox: '0 0 32 22', width: '32', height: '22' })
  root.append(
    element('rect', {
      x: '1',
      y: '1',
      width: '30',
      height: '20',
      rx: '3.5',
      ...(mark
        ? { fill: mark.fill }
        : { fill: 'none', stroke: 'currentColor', 'stroke-width': '1.5' }),
    }),
  )
  if (!mark) {
    root.append(
      element('rect', { x: '1', y: '6', width: '30', height: '4', fill: 'currentColor' }),
      element('rect', { x: '5', y: '14', width: '8', height: '2', fill: 'currentColor' }),
    )
  }
  mark?.circles?.forEach((fill, at) => {
    root.append(element('circle', { cx: String(12.5 + at * 7), cy: '11', r: '5.5', fill }))
  })
  if (mark?.word) {
    const word = element('text', {
      x: '16',
      y: String(11 + mark.size * 0.36),
      fill: '#fff',
      'text-anchor': 'middle',
      'font-family': 'Arial, sans-serif',
      'font-weight': '700',
      'font-size': String(mark.size),
    })
    word.textContent = mark.word
    root.append(word)
  }
  holder.replaceChildren(root)
}

function element(/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) {
  const made = document.createElementNS(svg, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

const inherited = ['fontFamily', 'fontSize', 'fontStyle', 'fontVariant', 'fontWeight', 'lineHeight']
const each = ['color', 'letterSpacing', 'textDecoration', 'textShadow', 'textTransform']
const problemColors = { light: '#c0123c', dark: '#ff9d9d' }

/** The look of the whole row, from the element's `style` option. */
export function paintRow(/** @type {HTMLElement} */ row, options) {
  const base = options.style?.base ?? {}
  const defaults = { fontSize: '16px', color: options.theme === 'dark' ? '#f1ede6' : '#1f2328' }
  for (const name of inherited) row.style[name] = base[name] ?? defaults[name] ?? ''
  row.style.color = base.color ?? defaults.color
  row.style.setProperty('--icon', base.iconColor ?? 'currentColor')
}

/** The look of one input, by its state. */
export function paintField(/** @type {HTMLInputElement} */ input, options, state) {
  const style = options.style ?? {}
  const invalid = { color: problemColors[options.theme] ?? problemColors.light, ...style.invalid }
  const base = style.base ?? {}
  const look = {
    ...base,
    ...(state.focused ? base[':focus'] : {}),
    ...(state.empty ? style.empty : {}),
    ...(state.complete ? style.complete : {}),
    ...(state.invalid ? invalid : {}),
  }
  for (const name of each) input.style[name] = look[name] ?? ''
  const placeholder = { ...base['::placeholder'], ...look['::placeholder'] }
  input.style.setProperty('--placeholder', placeholder.color ?? '')
}
