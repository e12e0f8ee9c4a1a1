/** Where the shop is reached. Whoever runs the shop writes their own here: every page and legal text takes it from this file. */
export const contact = {
  owner: 'Robin Ferrer',
  phone: '+1 503 555 0142',
  address: ['Ferrite', '12 Coil Lane', 'Portland, OR 97209', 'United States'],
  email: 'hello@ferrite.example',
}
