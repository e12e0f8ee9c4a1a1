import type { TextPage } from './text-page.ts'

/** What the shop keeps in a browser; every line is true of the code. */
export const storage: TextPage = {
  path: '/storage',
  title: 'Cookies and storage',
  lead: 'All that this shop keeps in your browser. Without it there could be no login.',
  next: ['/privacy', '/terms'],
  sections: ({ google, sandbox }) => [
    {
      heading: 'When you log in',
      body: (
        <ul>
          <li>
            <code>accessToken</code> in local storage: shows the shop who you are. It is good for
            one hour, is renewed while you are here, and is removed when you log out.
          </li>
          <li>
            <code>ferrite.session_token</code>, a cookie that scripts can not read: keeps you logged
            in for seven days after your last visit. Logging out removes it. Over an encrypted
            connection its name begins with <code>__Secure-</code>.
          </li>
          <li>
            <code>ferrite.device</code>, a cookie that scripts can not read: lets you log in from
            this browser while somebody elsewhere guesses at your password. It holds no name and no
            address, lasts half a year, and is worth nothing once you have a new password.
          </li>
          {google && (
            <li>
              While you continue with Google, a cookie and an entry in storage make sure that the
              answer belongs to your question. They last for some minutes.
            </li>
          )}
        </ul>
      ),
    },
    {
      heading: 'When you book or change something',
      body: (
        <p>
          <code>ferrite.catalogue</code>, a cookie that scripts can not read: it lets you see your
          own change at once. It is the same word for everybody and lasts five seconds.
        </p>
      ),
    },
    {
      heading: 'When you choose a theme',
      body: (
        <p>
          <code>theme</code> in local storage: <code>light</code> or <code>dark</code>. With the
          theme of your system nothing is kept.
        </p>
      ),
    },
    {
      heading: 'While the page is open',
      body: (
        <p>
          Session storage remembers how far you had scrolled, so that Back leads to the same place,
          and what you typed into a form and have not sent, so that a login in between loses
          nothing. Sending the form or logging out removes that; closing the tab removes all of it.
        </p>
      ),
    },
    ...(sandbox
      ? []
      : [
          {
            heading: 'When you pay',
            body: (
              <p>
                Stripe may set cookies of its own on the payment page, to tell people from thieves.
                Its privacy policy says what they hold.
              </p>
            ),
          },
        ]),
    {
      heading: 'Why there is no banner',
      body: (
        <p>
          Because there is nothing to choose. All of this is needed for what you asked for, none of
          it counts or follows you, and you can remove it in your browser’s settings at any time.
          You are then logged out and see the theme of your system.
        </p>
      ),
    },
  ],
}
