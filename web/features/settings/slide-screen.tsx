import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { pictureAddress, pictureIdOf } from '#contracts/catalogue.ts'
import type { PictureUploaded } from '#contracts/pictures.ts'
import { SlideFields, type StoredSlide, slideCount, slideLimits } from '#contracts/slides.ts'
import { Button } from '#web/components/button.tsx'
import { NotFound } from '#web/components/error-page.tsx'
import { Field, TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import type { Route } from './+types/slide-screen'
import { PictureField } from './picture-field.tsx'
import { slidesQuery, useSaveSlide } from './slide-queries.ts'
import { useBaseVersion } from './use-base-version.ts'

export const meta = titled('Slide')

const own = { title: '', text: '', linkText: '', link: '', image: '' }
const fileOf = (image: string) => {
  const id = pictureIdOf(image)
  return id ? pictureAddress(id, 480, 'webp') : image
}

function SlideForm({ saved, owner }: { saved: StoredSlide; owner: string }) {
  const { place, version: read, ...stored } = saved
  const { version, onSaved } = useBaseVersion(read)
  const form = useForm({
    resolver: zodResolver(SlideFields),
    mode: 'onTouched',
    defaultValues: stored,
  })
  const clearDraft = useDraft(form, `slide ${place} ${version}`, owner)
  const save = useSaveSlide(place)
  useSignedOutUnlessAdmin(save.error)
  const { errors, isDirty } = form.formState
  const refused = save.error instanceof ApiError ? save.error.fields : undefined
  const messageOf = (name: keyof typeof own) => errors[name]?.message ?? refused?.[name] ?? ''

  async function send(edit: typeof own, said: string) {
    try {
      await save.mutateAsync({ ...edit, version })
    } catch {
      return
    }
    clearDraft()
    onSaved()
    form.reset(edit)
    toast('success', said)
  }

  return (
    <Form
      aria-label={`Slide ${place}`}
      onSubmit={form.handleSubmit((edit) => send(edit, 'Your slide is now on the home page.'))}
    >
      <Field
        label="Title"
        hint={`Up to ${slideLimits.title} characters`}
        autoComplete="off"
        error={messageOf('title')}
        {...form.register('title')}
      />
      <TextArea
        label="Text (optional)"
        hint={`Up to ${slideLimits.text} characters`}
        rows={3}
        typed={form.watch('text').length}
        limit={slideLimits.text}
        error={messageOf('text')}
        {...form.register('text')}
      />
      <Field
        label="Button text (optional)"
        autoComplete="off"
        error={messageOf('linkText')}
        {...form.register('linkText')}
      />
      <Field
        label="Button link (optional)"
        hint="A path in your shop, like /parts/case, or an address starting with https://"
        autoComplete="off"
        error={messageOf('link')}
        {...form.register('link')}
      />
      <PictureField
        label="Picture"
        hint="Ideally at least 1,200 pixels wide and a third less high. Without one, the slide shows a product in stock"
        value={form.watch('image')}
        onChange={(image) => form.setValue('image', image, { shouldDirty: true })}
        path="/api/image"
        nameIn={(answer) => (answer as PictureUploaded).data.url}
        srcOf={fileOf}
        error={messageOf('image')}
      />
      <p role="alert" className="pb-4 text-danger empty:pb-0">
        {!refused && save.error?.message}
      </p>
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
        <Button type="submit" disabled={!isDirty} loading={save.isPending}>
          Save
        </Button>
        {stored.title && (
          <Button
            variant="quiet"
            waits={save.isPending}
            onClick={() => void send(own, 'The standard slide is back on the home page.')}
          >
            Use the standard slide
          </Button>
        )}
        <p role="status" className="text-dim text-sm">
          {isDirty && 'Not saved yet. What you typed stays in this tab.'}
          {!isDirty &&
            (stored.title
              ? 'Your slide is on the home page.'
              : 'The standard slide is on the home page.')}
        </p>
      </div>
    </Form>
  )
}

/** The owner's own slide of the home page. */
export default function SlideScreen({ params }: Route.ComponentProps) {
  const { user } = useSession()
  const { data, error, refetch, isFetching } = useQuery(slidesQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  const saved = data?.find(({ place }) => String(place) === params.place)
  if (data && !saved) return <NotFound />
  return (
    <section aria-labelledby="slide" className="min-h-svh max-w-2xl">
      <p>
        <Link to="/dashboard/settings" className="link inline-flex min-h-11 items-center">
          Settings
        </Link>
      </p>
      <h1 id="slide" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Slide {params.place} of {slideCount}
      </h1>
      <p className="mt-2 mb-6">
        <Link to={`/#slide${params.place}`} className="link inline-flex min-h-11 items-center">
          See the home page
        </Link>
      </p>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-dvh" />}
      {saved && user && (
        <SlideForm key={`${saved.place} ${saved.title === ''}`} saved={saved} owner={user.email} />
      )}
    </section>
  )
}
