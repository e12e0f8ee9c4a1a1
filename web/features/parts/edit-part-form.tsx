import type { AdminPart, PartField } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import { EditConflictNotice } from './edit-conflict-notice.tsx'
import { PartFields } from './part-fields.tsx'
import { PictureInput } from './picture-input.tsx'
import { useEditForm } from './use-edit-form.ts'

function noteOn(isDirty: boolean, waiting: boolean): string {
  if (waiting) return 'The product is saved as soon as its picture is uploaded.'
  return isDirty ? 'Not saved yet. What you typed stays in this tab.' : 'Everything is saved.'
}

/** Everything about a part but its stock, to be changed. */
export function EditPartForm({ part, owner }: { part: AdminPart; owner: string }) {
  const { form, image, errorOf, edit, isDirty, ...rest } = useEditForm(part, owner)
  const field = (name: PartField) => ({ ...form.register(name), error: errorOf(name) })
  return (
    <Form onSubmit={rest.submit} onChange={() => edit.isError && edit.reset()}>
      <div className="part-form">
        <PictureInput
          value={image.field.value}
          uploading={rest.uploading}
          error={errorOf('image')}
          onBlur={image.field.onBlur}
          inputRef={image.field.ref}
        />
        <div>
          <PartFields field={field} typed={form.watch()} isNew={false} />
        </div>
      </div>
      <EditConflictNotice
        changes={rest.changes}
        onSettle={rest.settle}
        onForget={rest.forgetChanges}
      />
      <p role="alert" className="pb-4 text-danger empty:pb-0">
        {rest.problem}
      </p>
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
        <Button
          type="submit"
          disabled={!isDirty}
          loading={rest.waiting || edit.isPending}
          loadingText={rest.waiting ? 'Waiting for the picture…' : undefined}
        >
          Save product
        </Button>
        {isDirty && (
          <Button variant="quiet" waits={edit.isPending} onClick={rest.discard}>
            Discard changes
          </Button>
        )}
        <p role="status" className="text-dim text-sm">
          {noteOn(isDirty, rest.waiting)}
        </p>
      </div>
    </Form>
  )
}
