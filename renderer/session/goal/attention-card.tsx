import { useApp, useLive, useWords } from '../../app-context.ts'
import { parseNeed } from '../../../shared/sentences/index.ts'
import type { SessionSay, SessionView } from '../../../shared/state.ts'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { canReArm } from '../../commands.ts'
import { StandingActions } from '../queue/standing-actions.tsx'
import { waiting } from '../queue/waiting.ts'
import { LeftGoalActions } from './left-goal-actions.tsx'
import { PausedCard } from './paused-card.tsx'

/** Something only a person can settle. */
export function needsAttention({ say, shape, stopMessage }: SessionView): boolean {
  return shape === 'needs' || shape === 'failed' || say.code === 'needs-you' || stopMessage?.status.kind === 'failed'
}

/** The followup on which Enter did nothing. */
const ignored = (queue: SessionView['queue']) => waiting(queue).find(({ hold }) => hold?.code === 'enter-ignored')

export function AttentionCard({ session }: { session: SessionView }) {
  return (
    <section className="card" aria-live="off">
      {session.say.code === 'held' ? (
        <Stands session={session} />
      ) : session.say.code === 'needs-you' ? (
        <Asks session={session} what={session.say.what} />
      ) : session.say.code === 'turn-failed' ? (
        <TurnFailed session={session} said={session.say} />
      ) : session.say.code === 'left-goal' ? (
        <Left session={session} />
      ) : session.say.code === 'paused' ? (
        <PausedCard session={session} reason={session.say.reason} />
      ) : (
        <Failed session={session} />
      )}
    </section>
  )
}

function Asks({ session, what }: { session: SessionView; what: string }) {
  const { navigation, actions } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const need = parseNeed(what)
  const detail = need.kind === 'phrase' ? null : need.detail
  const said = detail === null ? s.need(what) : s.need(need.kind)
  const first = waiting(session.queue)[0]
  return (
    <Trouble
      shape="needs"
      title={w.card.needsTitle(w.agents[session.client], lower(need.kind === 'words' ? s.need('question') : said))}
    >
      {detail && <p className={`quote${need.kind === 'permission' ? ' mono' : ''}`}>{detail}</p>}
      <p className="t2">{w.card.needsText}</p>
      <div className="hstack">
        {session.terminalId && (
          <Button
            tone="primary"
            onClick={() =>
              navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'terminal' } })
            }
          >
            {w.card.openTerminal}
          </Button>
        )}
        {first && (
          <Button tone="quiet" disabled={!live} onClick={() => void actions.cancelEntry(first)}>
            {w.card.dropFollowup}
          </Button>
        )}
      </div>
    </Trouble>
  )
}

function Stands({ session }: { session: SessionView }) {
  const { w } = useWords()
  const entry = ignored(session.queue)
  return (
    entry && (
      <Trouble shape="needs" title={w.card.standsTitle} text={w.card.standsText}>
        <p className="quote">{entry.text}</p>
        <div className="hstack">
          <StandingActions entry={entry} />
        </div>
      </Trouble>
    )
  )
}

/** Its goal was set in the conversation before. */
function Left({ session }: { session: SessionView }) {
  const { w } = useWords()
  const goal = session.leftGoal
  return (
    goal && (
      <Trouble shape="needs" title={w.card.leftTitle} text={w.card.leftText(goal.used, goal.max)}>
        <p className="quote">{goal.text}</p>
        <div className="hstack">
          <LeftGoalActions session={session} />
        </div>
      </Trouble>
    )
  )
}

function TurnFailed({ session, said }: { session: SessionView; said: Extract<SessionSay, { code: 'turn-failed' }> }) {
  const { actions, navigation } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const armed = session.stopMessage?.status.kind === 'armed'
  return (
    <Trouble
      shape="failed"
      title={w.card.turnFailedTitle}
      text={armed ? w.card.turnFailedArmed : w.card.turnFailedText}
    >
      <p className="quote">{said.message || s.say(said, 0)}</p>
      <div className="hstack">
        {armed && (
          <Button tone="primary" disabled={!live} onClick={() => void actions.startGoal(session.id)}>
            {w.session.goOn}
          </Button>
        )}
        {session.terminalId && (
          <Button
            onClick={() =>
              navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'terminal' } })
            }
          >
            {w.card.openTerminal}
          </Button>
        )}
      </div>
    </Trouble>
  )
}

function Failed({ session }: { session: SessionView }) {
  const { actions, navigation } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const goal = session.stopMessage ?? session.lastStopMessage
  const reason =
    session.say.code === 'failed'
      ? session.say.reason
      : session.stopMessage?.status.kind === 'failed'
        ? session.stopMessage.status.reason
        : null
  const why = reason ? s.fail(reason) : ''
  const stop = why === '' ? '' : /\p{Script=Han}/u.test(why) ? '。' : '. '
  const unused = goal ? w.card.roundNotUsed(goal.used, goal.max) : ''
  return (
    <Trouble shape="failed" title={w.card.failedTitle} text={`${why}${stop}${unused}`}>
      {goal && <p className="quote">{goal.text}</p>}
      <div className="hstack">
        {canReArm(session) && (
          <Button tone="primary" keys="R" disabled={!live} onClick={() => void actions.reArm(session.id)}>
            {w.goal.reArm}
          </Button>
        )}
        {session.terminalId && (
          <Button
            onClick={() =>
              navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'terminal' } })
            }
          >
            {w.card.openTerminal}
          </Button>
        )}
      </div>
    </Trouble>
  )
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
