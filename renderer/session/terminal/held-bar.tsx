import { excerpt } from '../../../shared/sentences/excerpt.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Button } from '../../parts/button.tsx'
import type { SessionView, TerminalView } from '../../../shared/state.ts'
import { StandingActions } from '../queue/standing-actions.tsx'
import { stands, waiting } from '../queue/waiting.ts'

/** Why nothing is typed right now, the condition for it, and the text that comes then. */
export function HeldBar({ session, terminal }: { session: SessionView; terminal: TerminalView }) {
  const { actions, navigation, ui } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const first = waiting(session.queue)[0]
  const reason = first?.hold ?? (first ? terminal.hold : null)
  if (!first || !reason) return null
  const stop = /\p{Script=Han}/u.test(s.hold(reason)) ? '。' : '. '
  const edit = () => {
    navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'queue' } })
    ui.setState({ editingEntry: first.id })
  }
  return (
    <aside className="held" aria-label={s.shape('held')}>
      <Icon name="lock" />
      <div className="grow">
        <p className="cut" title={s.hold(reason)}>
          <b>
            {s.hold(reason)}
            {stop}
          </b>
          <span className="t2">{s.holdNext(reason)}</span>
        </p>
        <p className="meta cut" title={first.text}>
          {w.terminal.next(excerpt(first.text, 240))}
        </p>
      </div>
      {reason.code === 'screen-unknown' && (
        <Button
          does="reportScreen"
          small
          icon="copy"
          title={w.terminal.copyReportHint}
          disabled={!live}
          onClick={() => void actions.copyReport(terminal.id)}
        >
          {w.terminal.copyReport}
        </Button>
      )}
      {stands(first) ? (
        <StandingActions entry={first} small />
      ) : (
        <>
          {terminal.sessionId !== null && (
            <Button does="editEntry" small disabled={!live} onClick={edit}>
              {w.terminal.edit}
            </Button>
          )}
          <Button
            does="cancelEntry"
            small
            tone="quiet"
            disabled={!live}
            onClick={() => void actions.cancelEntry(first)}
          >
            {w.terminal.drop}
          </Button>
        </>
      )}
    </aside>
  )
}
