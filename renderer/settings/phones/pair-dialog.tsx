import { useState, type FormEvent } from 'react'
import { encode } from 'uqr'
import { deviceRights, usualRights, type DeviceRight, type PairingView } from '../../../shared/devices.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'

/** Asks what the phone may do, then shows a code that pairs one. */
export function PairDialog({ onClose }: { onClose: () => void }) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [rights, setRights] = useState<readonly DeviceRight[]>(usualRights)
  const [problem, setProblem] = useState<string | null>(null)
  const [made, setMade] = useState<PairingView | null>(null)
  const t = w.phone
  const submit = async (event: FormEvent) => {
    event.preventDefault()
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
        <div className="device-rights" role="group" aria-label={t.mayDo}>
          <p>{t.mayDo}</p>
          {deviceRights
            .filter((right) => right !== 'look')
            .map((right) => (
              <Checkbox
                key={right}
                checked={rights.includes(right)}
                onChange={(on) => setRights(on ? [...rights, right] : rights.filter((one) => one !== right))}
              >
                {t.rightHints[right]}
              </Checkbox>
            ))}
        </div>
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
