import '#web/styles/shipping.css'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { countryChoices } from '#contracts/countries.ts'
import { weekdayNames } from '#contracts/dispatch.ts'
import { logoPath } from '#contracts/logo.ts'
import {
  type LogoUploaded,
  type Settings,
  SettingsEdit,
  type SettingsName,
  settingsFields,
  settingsNames,
} from '#contracts/settings.ts'
import type { ShopFacts } from '#contracts/shop.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select, TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { MethodList } from '#web/features/shipping/method-list.tsx'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toastAfterReload } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useCurrency } from '#web/lib/use-money.ts'
import { OwnPageList } from './own-page-list.tsx'
import { PictureField } from './picture-field.tsx'
import { settingsQuery, useSaveSettings } from './queries.ts'
import { SlideList } from './slide-list.tsx'
import { TextList } from './text-list.tsx'

export const meta = titled('Settings')

const Facts = SettingsEdit.shape.settings.shape.shop

/** What is saved of a field that was edited here too. */
type Conflict = { name: SettingsName; saved: string }

/**
 * When another admin saves, fields that were not edited here follow; typed values stay, and are
 * shown beside what is saved now. So are values that were typed before a reload.
 */
function useSettingsForm({ version, settings }: Settings, owner: string) {
  const save = useSaveSettings()
  const [base, setBase] = useState({ version, shop: settings.shop })
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const [isRestored, setRestored] = useState(false)
  const form = useForm({
    resolver: zodResolver(Facts),
    mode: 'onTouched',
    defaultValues: settings.shop,
  })
  const clearDraft = useDraft(form, 'settings', owner)
  const showRestored = useEffectEvent(() => {
    const restored = settingsNames.filter((name) => form.getValues(name) !== settings.shop[name])
    setConflicts(restored.map((name) => ({ name, saved: settings.shop[name] })))
    setRestored(restored.length > 0)
  })
  useEffect(() => showRestored(), [])
  useEffect(() => {
    if (version <= base.version) return
    const typed = form.getValues()
    const changed = settingsNames.filter(
      (name) =>
        settings.shop[name] !== base.shop[name] &&
        typed[name] !== base.shop[name] &&
        typed[name] !== settings.shop[name],
    )
    form.reset(settings.shop, { keepDirtyValues: true, keepErrors: true })
    setBase({ version, shop: settings.shop })
    setConflicts(changed.map((name) => ({ name, saved: settings.shop[name] })))
    setRestored(false)
  }, [version, settings, base, form])

  async function submit(shop: ShopFacts) {
    try {
      await save.mutateAsync({ version: base.version, settings: { shop } })
    } catch {
      return
    }
    clearDraft()
    toastAfterReload('Saved. It’s now on every page and in every email.')
    // every page of this tab names the shop
    location.reload()
  }
  return { form, save, conflicts, isRestored, submit: form.handleSubmit(submit) }
}

const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')

/** What can be chosen in a field; undefined where it is typed. @param value always one of them */
function choicesOf(name: SettingsName, value: string): Record<string, string> | undefined {
  const { choices, format } = settingsFields[name]
  if (format === 'country') return { '': 'Choose a country', ...countryChoices() }
  if (format !== 'timeZone') return choices
  const zones = ['UTC', value, ...Intl.supportedValuesOf('timeZone')]
  return Object.fromEntries(zones.map((zone) => [zone, zone.replaceAll('_', ' ')]))
}

type WeekdaysProps = {
  label: string
  hint: string | undefined
  /** Digits from 1, Monday. */
  value: string
  onChange: (days: string) => void
  error: string
}

/** The days of the week, of which any can be chosen. */
function Weekdays({ label, hint, value, onChange, error }: WeekdaysProps) {
  const id = useId()
  const toggle = (day: string) =>
    onChange(
      Object.keys(weekdayNames)
        .filter((each) => (each === day) !== value.includes(each))
        .join(''),
    )
  return (
    <fieldset className="field pb-2" aria-describedby={`${id}-hint ${id}-error`}>
      <legend className="field-label">{label}</legend>
      <p id={`${id}-hint`} className="field-hint">
        {hint}
      </p>
      <div className="flex flex-wrap gap-x-5">
        {Object.entries(weekdayNames).map(([day, name]) => (
          <label key={day} className="check">
            <input type="checkbox" checked={value.includes(day)} onChange={() => toggle(day)} />
            {name}
          </label>
        ))}
      </div>
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {error}
      </p>
    </fieldset>
  )
}

/** The type of the input of a typed field. */
const inputTypeOf = (format: string | undefined) =>
  format === 'email' || format === 'date' ? format : 'text'

type ConflictsProps = {
  conflicts: Conflict[]
  /** Whether the fields were typed before a reload; otherwise another admin saved meanwhile. */
  isRestored: boolean
}

function Conflicts({ conflicts, isRestored }: ConflictsProps) {
  return (
    <div role="alert" className="my-6 rounded-card border border-amber p-5">
      <p className="font-semibold">What you typed is still here, but not saved.</p>
      {!isRestored && (
        <p className="text-dim text-sm">
          {conflicts.length > 0
            ? 'Another admin changed these fields in the meantime. Check them, then save.'
            : 'Another admin changed other fields in the meantime. They’re now shown here: save again.'}
        </p>
      )}
      {conflicts.length > 0 && (
        <ul className="mt-3 grid gap-2">
          {conflicts.map(({ name, saved }) => (
            <li key={name}>
              {settingsFields[name].label}: saved is{' '}
              {saved ? <q className="wrap-anywhere">{saved}</q> : 'nothing'}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function SettingsForm({ saved, owner }: { saved: Settings; owner: string }) {
  const { form, save, conflicts, isRestored, submit } = useSettingsForm(saved, owner)
  useSignedOutUnlessAdmin(save.error)
  const { errors, isDirty } = form.formState
  const { error } = save
  const refused = error instanceof ApiError ? error.fields : undefined
  const isOutdated = error instanceof ApiError && error.code === 'OUTDATED'
  const errorOf = (name: SettingsName) =>
    errors[name]?.message ?? refused?.[`settings.shop.${name}`]
  return (
    <Form aria-label="The shop" className="max-w-2xl" onSubmit={submit}>
      {settingsNames.map((name) => {
        const { label, hint, lines, max, isOptional, format, range } = settingsFields[name]
        const choices = choicesOf(name, form.watch(name))
        if (choices) {
          return (
            <div key={name} className="field pb-5">
              <Select
                label={label}
                hint={format === 'timeZone' ? `${hint}. This device is in ${deviceZone()}.` : hint}
                value={form.watch(name)}
                choices={choices}
                error={errorOf(name) ?? ''}
                onChange={(value) => form.setValue(name, value, { shouldDirty: true })}
              />
            </div>
          )
        }
        if (format === 'weekdays') {
          return (
            <Weekdays
              key={name}
              label={label}
              hint={hint}
              value={form.watch(name)}
              onChange={(days) =>
                form.setValue(name, days, { shouldDirty: true, shouldValidate: true })
              }
              error={errorOf(name) ?? ''}
            />
          )
        }
        if (format === 'logo') {
          return (
            <PictureField
              key={name}
              label={label}
              hint={hint}
              value={form.watch(name)}
              onChange={(logo) => form.setValue(name, logo, { shouldDirty: true })}
              path="/api/logo"
              nameIn={(answer) => (answer as LogoUploaded).logo}
              srcOf={(logo) => logoPath(logo, 'small')}
              error={errorOf(name) ?? ''}
            />
          )
        }
        const shared = {
          label: isOptional ? `${label} (optional)` : label,
          hint,
          error: errorOf(name) ?? '',
          ...form.register(name),
        }
        return lines ? (
          <TextArea key={name} rows={4} typed={form.watch(name).length} limit={max} {...shared} />
        ) : (
          <Field
            key={name}
            autoComplete="off"
            type={inputTypeOf(format)}
            inputMode={range && 'numeric'}
            {...shared}
          />
        )
      })}
      {(isOutdated || conflicts.length > 0) && (
        <Conflicts conflicts={conflicts} isRestored={isRestored} />
      )}
      <p role="alert" className="pb-4 text-danger empty:pb-0">
        {!refused && !isOutdated && error?.message}
      </p>
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
        <Button type="submit" disabled={!isDirty} loading={save.isPending}>
          Save
        </Button>
        <p role="status" className="text-dim text-sm">
          {isDirty ? 'Not saved yet. What you typed stays in this tab.' : 'Everything is saved.'}
        </p>
      </div>
    </Form>
  )
}

/** What the owner says of the shop: every page and mail has these words. */
export default function SettingsScreen() {
  const { user } = useSession()
  const currency = useCurrency()
  const { data, error, refetch, isFetching } = useQuery(settingsQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  return (
    <section aria-labelledby="settings" className="min-h-svh">
      <h1 id="settings" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Settings
      </h1>
      <p className="mt-2 mb-6 max-w-[56ch] text-pretty text-dim">
        Your shop’s name, address and other details. It sells in {currency}, set before its first
        start.
      </p>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-dvh" />}
      {data && user && <SettingsForm saved={data} owner={user.email} />}
      <MethodList />
      <SlideList />
      <TextList />
      <OwnPageList />
    </section>
  )
}
