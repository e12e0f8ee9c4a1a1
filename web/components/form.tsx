import type { ComponentProps } from 'react'

/**
 * A form that a script sends and whose fields say themselves what is wrong. Should it ever be sent without the script,
 * `post` keeps what was typed out of the address, and with it out of histories and logs.
 */
export function Form(props: ComponentProps<'form'>) {
  return <form noValidate method="post" {...props} />
}
