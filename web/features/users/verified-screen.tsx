import { Check, Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '#web/components/button.tsx'
import { AuthCard } from './auth-card.tsx'
import { ResendVerification } from './resend-verification.tsx'

/** The provider's reasons in words; any other says what is true of all. */
const reasons: Record<string, string> = {
  TOKEN_EXPIRED: 'It is older than one hour.',
  INVALID_TOKEN: 'It is damaged: perhaps only a part of it was copied.',
  USER_NOT_FOUND: 'Its account is no longer there.',
}

function Outcome({ sign, children }: { sign: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-5 flex gap-4">
      {sign}
      <div className="grid gap-2">{children}</div>
    </div>
  )
}

function Confirmed() {
  return (
    <AuthCard title="Your address is confirmed">
      <Outcome sign={<Check className="verdict-sign bg-green" size={40} aria-hidden="true" />}>
        <p>Nobody else can take this address at Ferrite, and a lost password can be set anew.</p>
        <p className="text-dim">There is nothing else to do.</p>
      </Outcome>
      <div className="mt-7 flex flex-wrap gap-3">
        <ButtonLink to="/home">See the parts</ButtonLink>
        <ButtonLink to="/dashboard" variant="quiet">
          Dashboard
        </ButtonLink>
      </div>
    </AuthCard>
  )
}

function NotConfirmed({ code }: { code: string }) {
  return (
    <AuthCard title="This link does not work">
      <Outcome sign={<Unlink className="verdict-sign bg-danger" size={40} aria-hidden="true" />}>
        <p>{reasons[code] ?? 'It could not be used.'} Your address is not confirmed by it.</p>
        <p className="text-dim">
          Have another link sent, and open it from the newest mail within one hour. You can book and
          pay meanwhile.
        </p>
      </Outcome>
      <div className="mt-7 flex flex-wrap items-center gap-3">
        <ResendVerification />
      </div>
    </AuthCard>
  )
}

/** Where the link in the verification mail ends: with nothing in the query, or with the provider's error. */
export function VerifiedScreen() {
  const [search] = useSearchParams()
  const code = search.get('error')
  return code === null ? <Confirmed /> : <NotConfirmed code={code} />
}
