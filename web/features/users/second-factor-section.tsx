import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { Skeleton } from '#web/components/states.tsx'
import {
  enterCode,
  type NewFactor,
  renewRecoveryCodes,
  startSecondFactor,
  stopSecondFactor,
} from '#web/lib/identity/second-factor.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { outdate } from '#web/lib/outdated.ts'
import { exchangeToken } from '#web/lib/session/exchange.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useShopName } from '#web/lib/use-shop.ts'
import { useAccountChange, wrongPassword } from './account-dialogs.tsx'
import { accountRow } from './account-row.ts'
import { codeInput, TypedCode } from './code-form.tsx'
import { hasPasswordQuery } from './queries.ts'

const QrCode = lazy(withTimeout(() => import('./qr-code.tsx')))

type PasswordProps = {
  title: string
  about: string
  confirmText: string
  danger?: boolean
  /** Runs with the right password. */
  change: (password: string) => Promise<void>
  onClose: () => void
}

const Known = z.object({ password: z.string().min(1, messages.passwordRequired) })

/** Asks for the password before a change of the second factor. */
function PasswordDialog({ change, onClose, ...words }: PasswordProps) {
  const { field, dialog } = useAccountChange({
    schema: Known,
    defaultValues: { password: '' },
    wrongAt: wrongPassword('password'),
    change: ({ password }) => change(password),
    onChanged: onClose,
  })
  return (
    <FormDialog busyText="One moment…" onCancel={onClose} {...words} {...dialog}>
      <Field
        label="Your password"
        type="password"
        autoComplete="current-password"
        {...field('password')}
      />
    </FormDialog>
  )
}

/** The secret in groups of four, as apps show it. */
const secretIn = (uri: string) =>
  (new URL(uri).searchParams.get('secret') ?? '').replaceAll(/(.{4})(?=.)/g, '$1 ')

type FirstCodeProps = { factor: NewFactor; onOn: () => Promise<void>; onClose: () => void }

/** Shows the secret, and switches the second factor on by a first code of the app. */
function FirstCodeDialog({ factor, onOn, onClose }: FirstCodeProps) {
  const { field, dialog } = useAccountChange({
    schema: TypedCode,
    defaultValues: { code: '' },
    wrongAt: { code: 'auth/invalid-verification-code', field: 'code' },
    change: async ({ code }) => {
      await enterCode(code)
      await onOn()
    },
    onChanged: onClose,
  })
  return (
    <FormDialog
      title="Add the shop to your app"
      about="Scan this with an authenticator app, then enter the code it shows."
      confirmText="Turn on"
      busyText="Turning on…"
      onCancel={onClose}
      {...dialog}
    >
      <Suspense fallback={<Skeleton className="size-52" />}>
        <QrCode text={factor.uri} />
      </Suspense>
      <p className="mt-3 mb-5 text-sm">
        No camera? Enter this in the app:{' '}
        <code className="wrap-anywhere block pt-1">{secretIn(factor.uri)}</code>
      </p>
      <Field label="Code" hint="Six digits" inputMode="numeric" {...codeInput} {...field('code')} />
    </FormDialog>
  )
}

type Step = 'set up' | 'renew' | 'stop' | null

/** The steps of setting up and changing the second factor, and what is shown once. */
function useFactorSteps(email: string) {
  const client = useQueryClient()
  const name = useShopName()
  const [step, setStep] = useState<Step>(null)
  const [factor, setFactor] = useState<NewFactor | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  const changed = async (text: string) => {
    // the provider began a new session
    await exchangeToken(email)
    await outdate(client, 'changeFactor')
    void toast('success', text)
  }
  return {
    ...{ step, setStep, factor, recoveryCodes },
    close: () => setStep(null),
    leave: () => setFactor(null),
    hideCodes: () => setRecoveryCodes(null),
    start: async (password: string) => setFactor(await startSecondFactor(password, name)),
    switchOn: async () => {
      setRecoveryCodes(factor?.recoveryCodes ?? null)
      await changed('Your second factor is on. All your other devices are logged out.')
    },
    renew: async (password: string) => setRecoveryCodes(await renewRecoveryCodes(password)),
    stop: async (password: string) => {
      await stopSecondFactor(password)
      setRecoveryCodes(null)
      await changed('Your second factor is off.')
    },
  }
}

type Steps = ReturnType<typeof useFactorSteps>

function Dialogs({ steps }: { steps: Steps }) {
  const { step, factor, close } = steps
  return (
    <>
      {step === 'set up' && (
        <PasswordDialog
          title="Set up a second factor"
          about="From then on, logging in, refunding and adding admins will also need a code from your phone."
          confirmText="Continue"
          change={steps.start}
          onClose={close}
        />
      )}
      {factor && <FirstCodeDialog factor={factor} onOn={steps.switchOn} onClose={steps.leave} />}
      {step === 'renew' && (
        <PasswordDialog
          title="Make new recovery codes"
          about="Your current recovery codes will stop working."
          confirmText="Make new codes"
          change={steps.renew}
          onClose={close}
        />
      )}
      {step === 'stop' && (
        <PasswordDialog
          title="Turn the second factor off"
          about="From then on, you can log in with just your password."
          confirmText="Turn off"
          danger
          change={steps.stop}
          onClose={close}
        />
      )}
    </>
  )
}

/** Switches the second factor on and off, and makes new recovery codes. */
export default function SecondFactorSection({ email, isOn }: { email: string; isOn: boolean }) {
  const { data: hasPassword } = useQuery(hasPasswordQuery(email))
  const steps = useFactorSteps(email)
  const { recoveryCodes, setStep } = steps
  return (
    <section aria-labelledby="second-factor">
      <h2 id="second-factor" className="text-2xl font-bold tracking-tight">
        Second factor
      </h2>
      <div className="card mt-4 px-6 py-2 sm:px-8">
        <div className={accountRow}>
          <p className="max-w-[52ch] grow basis-72">
            <span className="block font-semibold">{isOn ? 'On' : 'Off'}</span>
            <span className="text-dim">
              {isOn
                ? 'Logging in, refunding, adding admins and changing your login need a code from your authenticator app.'
                : hasPassword === false
                  ? 'Anyone with your password can log in as you. Set a password first; the code comes on top of it.'
                  : 'Anyone with your password can log in as you. With a second factor, they’d need a code from your phone too.'}
            </span>
          </p>
          {isOn ? (
            <div className="flex flex-wrap gap-3">
              <RowButton onClick={() => setStep('renew')}>New recovery codes</RowButton>
              <RowButton className="text-danger" onClick={() => setStep('stop')}>
                Turn off
              </RowButton>
            </div>
          ) : (
            <RowButton off={!hasPassword} onClick={() => setStep('set up')}>
              Set up
            </RowButton>
          )}
        </div>
      </div>
      {recoveryCodes && (
        <ShownOnce
          title="Your recovery codes: each logs you in once, without your phone"
          secret={recoveryCodes.join('\n')}
          onDone={steps.hideCodes}
        />
      )}
      <Dialogs steps={steps} />
    </section>
  )
}
