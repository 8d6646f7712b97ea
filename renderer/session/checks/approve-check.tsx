import { useState } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import type { Dialog as Asked } from '../../state/ui.ts'
import { fileName } from './check-text.ts'
import { visible } from './words.ts'
import { Problem } from '../../parts/trouble.tsx'

/** A person's word that exactly this may run in exactly this folder: all of it is shown, word by word. */
export function ApproveCheck({
  asked,
  onClose,
}: {
  asked: Extract<Asked, { kind: 'approve-check' }>
  onClose: () => void
}) {
  const { actions, ui } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [problem, setProblem] = useState<{ code: string | null; message: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const { session, folder, check } = asked
  const { name, argv, approvedArgv, timeoutSeconds } = check
  const t = w.checks
  const allow = async () => {
    setBusy(true)
    const outcome = await actions.approveCheck({ session, name, argv: [...argv] })
    setBusy(false)
    if (outcome.ok) onClose()
    else setProblem(outcome.problem)
  }
  /** It reads otherwise by now: the text shown here must be the one that is allowed. */
  const readAnew = async () => {
    const outcome = await actions.loadChecks(session)
    const now = outcome.ok ? outcome.value.checks.find((one) => one.name === name) : undefined
    if (!outcome.ok) return setProblem(outcome.problem)
    if (!now || now.approval === 'approved' || now.approval === 'removed' || outcome.value.folder === null)
      return onClose()
    setProblem(null)
    ui.setState({ dialog: { ...asked, folder: outcome.value.folder, check: now } })
  }
  return (
    <Dialog title={t.ask(name)} size={560} onClose={onClose}>
      <p className="t2">{t.askText}</p>
      <dl className="allow">
        <div>
          <dt>{t.folder}</dt>
          <dd>
            <code className="whole">{visible(folder)}</code>
          </dd>
        </div>
        {check.approval === 'changed' && approvedArgv && (
          <div>
            <dt>{t.before}</dt>
            <dd>
              <Words argv={approvedArgv} />
            </dd>
          </div>
        )}
        <div>
          <dt>{check.approval === 'changed' && approvedArgv ? t.now : t.argv}</dt>
          <dd>
            <Words argv={argv} />
          </dd>
        </div>
        <div>
          <dt>{t.limit}</dt>
          <dd className="num">{f.span(timeoutSeconds * 1000)}</dd>
        </div>
        <div>
          <dt>{t.from}</dt>
          <dd>{check.from === 'file' ? <code>{fileName}</code> : t.fromDashboard}</dd>
        </div>
      </dl>
      <Problem text={problem?.message} />
      <div className="dialog-foot">
        <Button data-autofocus onClick={onClose}>
          {t.notNow}
        </Button>
        {problem?.code === 'check-changed' ? (
          <Button tone="primary" disabled={!live} onClick={() => void readAnew()}>
            {t.readAnew}
          </Button>
        ) : (
          <Button tone="primary" busy={busy} disabled={!live} onClick={() => void allow()}>
            {t.allow}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** Each word in a box of its own: where one ends is part of what is allowed. */
const Words = ({ argv }: { argv: readonly string[] }) => (
  <span className="words">
    {argv.map((word, i) => (
      <code key={i} className="whole">
        {word === '' ? '""' : visible(word)}
      </code>
    ))}
  </span>
)
