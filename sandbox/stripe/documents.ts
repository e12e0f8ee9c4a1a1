import { html } from 'hono/html'

/** Markup whose inserted values are escaped. */
export type Page = ReturnType<typeof html>

const head = (name: string, title: string) => html`<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${name}.css">
  <script src="${name}.js" defer></script>
</head>`

const digits = html`inputmode="numeric" autocorrect="off" spellcheck="false" aria-describedby="problem"`

/** The row of card fields. */
export const cardPage = html`<!doctype html>
<html lang="en">
${head('frame', 'Secure card payment input frame')}
<body>
  <form novalidate>
    <span class="number">
      <span class="brand" aria-hidden="true"></span>
      <input name="cardnumber" autocomplete="cc-number" aria-label="Credit or debit card number" placeholder="Card number" ${digits}>
    </span>
    <span class="rest">
      <input name="exp-date" autocomplete="cc-exp" aria-label="Credit or debit card expiration date" placeholder="MM / YY" ${digits}>
      <input name="cvc" autocomplete="cc-csc" aria-label="Credit or debit card CVC/CVV" placeholder="CVC" ${digits}>
      <input name="postal" autocomplete="postal-code" aria-label="ZIP or postal code" placeholder="ZIP" autocapitalize="characters" autocorrect="off" spellcheck="false" aria-describedby="problem">
    </span>
  </form>
  <span id="problem" class="unseen"></span>
</body>
</html>`

export type Price = { amount: number; currency: string }

/** What the customer answers for 3-D Secure; without a price it is over already. */
export function challengePage(source: string, theme: string, price: Price | undefined): Page {
  return html`<!doctype html>
<html lang="en" data-theme="${theme}">
${head('3ds', 'Card authentication')}
<body data-source="${source}">
  <main>
    <h1>Confirm your payment</h1>
    ${price ? challengeForm(price) : html`<p>This payment no longer waits for you. Close this window to go on.</p>`}
    <p id="note" role="alert"></p>
  </main>
</body>
</html>`
}

const challengeForm = (price: Price) => html`<p class="amount">${money(price)}</p>
    <p>Your bank asks whether it is you who pays with this card.</p>
    <button type="button" value="complete" disabled>Complete authentication</button>
    <button type="button" value="fail" disabled>Fail authentication</button>`

function money({ amount, currency }: Price): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
