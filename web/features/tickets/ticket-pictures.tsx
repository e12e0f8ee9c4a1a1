import { useRef } from 'react'
import { type Ticket, ticketLimits } from '#contracts/tickets.ts'
import { Button } from '#web/components/button.tsx'
import { toast } from '#web/lib/toasts/toast.ts'
import { useAddPicture, usePictureOf } from './queries.ts'

function TicketPicture({ ticketId, picture }: { ticketId: string; picture: string }) {
  const { data } = usePictureOf(ticketId, picture)
  return (
    <div className="aspect-square overflow-hidden rounded-xl border border-line bg-plate">
      {data && (
        <a href={data} download="picture.webp">
          <img src={data} alt="From the customer" className="size-full object-contain" />
        </a>
      )}
    </div>
  )
}

function AddPicture({ ticketId }: { ticketId: string }) {
  const add = useAddPicture(ticketId)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        aria-label="Picture"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) add.mutate(file, { onError: (problem) => toast('error', problem.message) })
        }}
      />
      <Button variant="quiet" loading={add.isPending} onClick={() => input.current?.click()}>
        Add a picture
      </Button>
    </>
  )
}

/** The pictures of a ticket, for a reader with a login. */
export function Pictures({ ticket, canAdd }: { ticket: Ticket; canAdd: boolean }) {
  const { _id, pictures } = ticket
  const hasRoom = canAdd && pictures.length < ticketLimits.pictures
  if (pictures.length === 0 && !hasRoom) return null
  return (
    <div className="mb-6">
      {pictures.length > 0 && (
        <div className="mb-3 grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3">
          {pictures.map((picture) => (
            <TicketPicture key={picture} ticketId={_id} picture={picture} />
          ))}
        </div>
      )}
      {hasRoom && <AddPicture ticketId={_id} />}
    </div>
  )
}
