import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button } from '../../parts/button.tsx'
import { checksOf } from '../../state/checks.ts'
import type { SessionView } from '../../../shared/state.ts'
import { checkText } from './check-text.ts'
import { commandText } from './words.ts'

/** The checks a goal waits for, each with the word it lacks right there. */
export function AskedChecks({ session, names }: { session: SessionView; names: readonly string[] }) {
  const { ui } = useApp()
  const words = useWords()
  const { w } = words
  const live = useLive()
  const found = useEngine((s) => checksOf(s.checks, session))
  const folder = found?.folder ?? null
  const asked = names.map((name) => found?.checks.find((check) => check.name === name))
  const first = asked.find((check) => check && checkText(check, words).asks === 'approve')
  return (
    <ul className="asked" aria-label={w.checks.title}>
      {asked.map((check, i) => {
        if (!check || folder === null)
          return (
            <li key={names[i]}>
              <Shape shape="needs" />
              <span className="cut">{names[i]}</span>
            </li>
          )
        const { shape, asks } = checkText(check, words)
        return (
          <li key={check.name}>
            <Shape shape={shape} />
            <code className="cut" title={commandText(check.argv)}>
              {commandText(check.argv)}
            </code>
            <span className="grow" />
            {asks === 'approve' && (
              <Button
                does="approveCheck"
                small
                tone={check === first ? 'primary' : undefined}
                aria-label={w.checks.approveOf(check.name)}
                disabled={!live}
                onClick={() => ui.setState({ dialog: { kind: 'approve-check', session: session.id, folder, check } })}
              >
                {w.checks.approve}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
