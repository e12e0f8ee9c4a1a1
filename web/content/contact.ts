/**
 * The shop's contact details, used by every page and legal text. Shop owners replace them with
 * their own.
 */
export const contact = {
  owner: 'Robin Ferrer',
  phone: '+1 503 555 0142',
  address: ['Ferrite', '12 Coil Lane', 'Portland, OR 97209', 'United States'],
  email: 'hello@ferrite.example',
}
