/** The shop's contact details: the shop owner writes their own here, and every page and legal text reads them. */
export const contact = {
  owner: 'Robin Ferrer',
  phone: '+1 503 555 0142',
  address: ['Ferrite', '12 Coil Lane', 'Portland, OR 97209', 'United States'],
  email: 'hello@ferrite.example',
}
