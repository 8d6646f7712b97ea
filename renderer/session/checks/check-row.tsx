import { useState } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import type { CheckView } from '../../../shared/review.ts'
import { checkText } from './check-text.ts'
import { commandText } from './words.ts'

/** One check: how it went, when, and what a person can do about it. */
export function CheckRow({ session, folder, check }: { session: string; folder: string; check: CheckView }) {
  const { actions, ui } = useApp()
  const words = useWords()
  const { w, f } = words
  const live = useLive()
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { name, argv, changedFiles } = check
  const command = commandText(argv)
  const said = checkText({ ...check, running: check.running || busy }, words)
  const run = async () => {
    setBusy(true)
    const outcome = await actions.runCheck({ session, name })
    setBusy(false)
    setProblem(outcome.ok ? null : outcome.problem.message)
  }
  const forget = async () => {
    const outcome = await actions.forgetCheck(session, check)
    if (!outcome.ok) setProblem(outcome.problem.message)
  }
  return (
    <li className="check" aria-label={name}>
      <div className="check-line">
        <Shape shape={said.shape} />
        <code className="cut" title={name === command ? command : `${name}: ${command}`}>
          {command}
        </code>
        <span className={`grow cut ${said.tone}`} title={said.text}>
          {said.text}
        </span>
        {said.at !== null && (
          <span className="num check-at" title={f.instant(said.at)}>
            {f.minute(said.at)}
          </span>
        )}
        {said.asks === 'approve' && (
          <Button
            does="approveCheck"
            small
            aria-label={w.checks.approveOf(name)}
            disabled={!live}
            onClick={() => ui.setState({ dialog: { kind: 'approve-check', session, folder, check } })}
          >
            {w.checks.approve}
          </Button>
        )}
        {said.asks === 'forget' && (
          <Button
            does="forgetCheck"
            small
            aria-label={w.checks.forgetOf(name)}
            disabled={!live}
            onClick={() => void forget()}
          >
            {w.checks.forget}
          </Button>
        )}
        {check.approval === 'approved' && (
          <span className="check-acts">
            <IconButton
              does="runCheck"
              icon="play"
              small
              name={w.checks.runOf(name)}
              disabled={!live || check.running || busy}
              onClick={() => void run()}
            />
            <IconButton
              does="forgetCheck"
              icon="x"
              small
              name={w.checks.forgetOf(name)}
              disabled={!live}
              onClick={() => void forget()}
            />
          </span>
        )}
      </div>
      {changedFiles.length > 0 && check.approval === 'approved' && (
        <p className="check-note" title={changedFiles.join('\n')}>
          {w.checks.changedFiles(
            f.list([
              ...changedFiles.slice(0, 2),
              ...(changedFiles.length > 2 ? [w.checks.andMore(changedFiles.length - 2)] : []),
            ]),
          )}
        </p>
      )}
      {problem && (
        <p className="check-note failed" role="alert">
          {problem}
        </p>
      )}
    </li>
  )
}
