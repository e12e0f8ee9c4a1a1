import { type BaseSyntheticEvent, useEffect, useEffectEvent, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { PartField } from '#contracts/parts.ts'
import type { PartForm } from './part-form-schema.ts'
import type { Upload } from './use-picture-upload.ts'

/** Is a chosen picture being read or sent? */
export const isOnItsWay = ({ phase }: Upload): boolean => phase === 'reading' || phase === 'sending'

const failed = 'This picture was not uploaded. Retry, choose another, or cancel it.'

type Form = Pick<UseFormReturn<PartForm>, 'getValues' | 'setError' | 'trigger'>

/**
 * Sends a form of a part. Pressed while its picture is still on the way, it waits for the picture and then goes; a
 * picture that fails or is cancelled ends the wait. What is wrong in other fields is told at once.
 * @param send validates and sends
 */
export function useSendAfterPicture(form: Form, upload: Upload, send: () => Promise<void>) {
  const [waiting, setWaiting] = useState(false)
  const sendNow = useEffectEvent(send)

  useEffect(() => {
    if (!waiting || isOnItsWay(upload)) return
    setWaiting(false)
    if (upload.phase === 'done') void sendNow()
  }, [waiting, upload])

  async function submit(event: BaseSyntheticEvent) {
    event.preventDefault()
    if (!isOnItsWay(upload) && upload.phase !== 'failed') return send()
    const fields = Object.keys(form.getValues()) as PartField[]
    const typed = fields.filter((name) => name !== 'image')
    const isTypedWell = await form.trigger(typed, { shouldFocus: true })
    if (upload.phase === 'failed')
      form.setError('image', { message: failed }, { shouldFocus: isTypedWell })
    else if (isTypedWell) setWaiting(true)
  }

  return { waiting, submit }
}
