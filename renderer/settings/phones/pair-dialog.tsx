import { useEffect, useState, type FormEvent } from 'react'
import { encode } from 'uqr'
import {
  usualRights,
  type DeviceRight,
  type PairingView,
  type PhoneWays,
  deviceRights,
} from '../../../shared/devices.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/select-field.tsx'

const networks = { tailscale: 'Tailscale', wireguard: 'WireGuard' } as const

/** Asks what the phone may do, then shows a code that pairs one. */
export function PairDialog({ onClose }: { onClose: () => void }) {
  const { actions } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const [rights, setRights] = useState<readonly DeviceRight[]>(usualRights)
  const [problem, setProblem] = useState<string | null>(null)
  const [made, setMade] = useState<PairingView | null>(null)
  const [ways, setWays] = useState<PhoneWays | null>(null)
  /** an address, or `tailscale`; empty: over SSH */
  const [at, setAt] = useState('')
  const t = w.phone
  useEffect(() => {
    void actions
      .ask((c) => c.phoneWays.query())
      .then((outcome) => {
        if (!outcome.ok) return setProblem(outcome.problem.message)
        setWays(outcome.value)
        setAt(nowAt(outcome.value))
        setProblem(outcome.value.problem && s.problem(outcome.value.problem))
      })
  }, [actions, s])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (at !== '' && ways !== null && at !== nowAt(ways)) {
      const served = await actions.ask((c) => c.servePhonesAt.mutate(at))
      if (!served.ok) return setProblem(served.problem.message)
      if (served.value.problem) return setProblem(s.problem(served.value.problem))
    }
    const outcome = await actions.ask((c) => c.newPairing.mutate({ rights: [...rights] }))
    if (outcome.ok) setMade(outcome.value)
    else setProblem(outcome.problem.message)
  }
  if (made)
    return (
      <Dialog title={t.add} size={420} onClose={onClose}>
        <div className="dialog-form">
          <QrCode text={made.url} label={t.code} />
          <p>{t.scan(f.minute(made.until))}</p>
          <CopyLine text={made.url} />
          {made.ways.listening ? (
            made.ways.listening.fingerprint !== null && (
              <>
                <p className="meta">{t.warns}</p>
                <code className="mono fingerprint">{made.ways.listening.fingerprint}</code>
              </>
            )
          ) : (
            <>
              <p className="meta">{t.overSsh}</p>
              <CopyLine text={made.ways.ssh} />
            </>
          )}
          <div className="dialog-foot">
            <Button tone="primary" data-autofocus onClick={onClose}>
              {t.done}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t.add} onClose={onClose}>
      <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
        {ways !== null && (
          <div className="device-rights">
            <SelectField label={t.way} value={at} onChange={(e) => setAt(e.currentTarget.value)}>
              {ways.tailscale !== null && <option value="tailscale">{ways.tailscale} (Tailscale)</option>}
              {ways.addresses.map(({ address, name, kind }) => (
                <option key={address} value={address}>
                  {address} ({kind === 'network' ? name : networks[kind]})
                </option>
              ))}
              <option value="">SSH</option>
            </SelectField>
            <p className="meta">{at === '' ? t.sshHint : at === 'tailscale' ? t.tailscaleHint : t.opens}</p>
          </div>
        )}
        <RightsField rights={rights} onChange={setRights} />
        {problem !== null && (
          <p className="meta failed" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-foot">
          <Button type="submit" tone="primary" disabled={!live}>
            {t.make}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The way that is open. */
const nowAt = ({ listening, tailscale }: PhoneWays): string =>
  listening === null
    ? ''
    : tailscale !== null && new URL(listening.origin).hostname === tailscale
      ? 'tailscale'
      : listening.host

/** Dark on light in every theme: cameras want it so. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'L', border: 4 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** What a device may do beside to look, which all may. */
export function RightsField({
  rights,
  onChange,
}: {
  rights: readonly DeviceRight[]
  onChange: (rights: readonly DeviceRight[]) => void
}) {
  const { w } = useWords()
  const t = w.phone
  return (
    <div className="device-rights" role="group" aria-label={t.mayDo}>
      <p>{t.mayDo}</p>
      {deviceRights
        .filter((right) => right !== 'look')
        .map((right) => (
          <Checkbox
            key={right}
            checked={rights.includes(right)}
            onChange={(on) => onChange(on ? [...rights, right] : rights.filter((one) => one !== right))}
          >
            {t.rightHints[right]}
          </Checkbox>
        ))}
    </div>
  )
}
