import { useApp, useLive, useWords } from '../../app-context.ts'
import type { SessionView } from '../../../shared/state.ts'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { canReArm } from '../../commands.ts'
import { TwoAnswers } from '../../parts/two-answers.tsx'
import { StandingActions } from '../queue/standing-actions.tsx'
import { waiting } from '../queue/waiting.ts'
import { AsksCard } from './asks-card.tsx'
import { OpenTerminalButton } from '../open-terminal-button.tsx'
import { DrivesAsk } from '../drives/drives-ask.tsx'
import { TurnFailedCard } from './turn-failed-card.tsx'
import { PausedCard } from './paused-card.tsx'

/** Something only a person can settle. */
export function needsAttention({ say, shape, stopMessage }: SessionView): boolean {
  return (
    shape === 'needs' ||
    shape === 'failed' ||
    say.code === 'needs-you' ||
    say.code === 'turn-failed' ||
    stopMessage?.status.kind === 'failed'
  )
}

/** The followup on which Enter did nothing. */
const ignored = (queue: SessionView['queue']) => waiting(queue).find(({ hold }) => hold?.code === 'enter-ignored')

/** At the top of the page, as wide as it is. */
export function AttentionCard({ session }: { session: SessionView }) {
  const { w } = useWords()
  return (
    <section className="card asks" aria-live="off" aria-label={w.card.attention}>
      {session.say.code === 'held' ? (
        <Stands session={session} />
      ) : session.say.code === 'needs-you' ? (
        <AsksCard session={session} say={session.say} />
      ) : session.say.code === 'turn-failed' ? (
        <TurnFailedCard session={session} said={session.say} />
      ) : session.say.code === 'retrying' ? (
        <TurnFailedCard session={session} said={session.say} retries />
      ) : session.say.code === 'stalled' ? (
        <Stalled session={session} since={session.say.since} />
      ) : session.say.code === 'drives-ask' ? (
        <DrivesAsk id={session.id} say={session.say} />
      ) : session.say.code === 'gone' ? (
        <Rests session={session} />
      ) : session.say.code === 'left-goal' ? (
        <Left session={session} />
      ) : session.say.code === 'paused' && session.say.failure && session.say.reason.code === 'by-user' ? (
        <TurnFailedCard session={session} said={session.say.failure} />
      ) : session.say.code === 'paused' ? (
        <PausedCard session={session} reason={session.say.reason} />
      ) : (
        <Failed session={session} />
      )}
    </section>
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

/** Only a person can see whether what it runs will come to an end. */
function Stalled({ session, since }: { session: SessionView; since: number }) {
  const { f, w } = useWords()
  return (
    <Trouble shape="needs" title={w.card.stalledTitle(f.minute(since))} text={w.card.stalledText}>
      <div className="hstack">
        <OpenTerminalButton session={session} />
      </div>
    </Trouble>
  )
}

/** Its agent ended by itself, and only a person can decide what to do. */
function Rests({ session }: { session: SessionView }) {
  const { s, w } = useWords()
  return <Trouble shape="failed" title={w.card.restsTitle} text={s.say(session.say, 0)} />
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

function Failed({ session }: { session: SessionView }) {
  const { actions } = useApp()
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
          <Button
            does="rearmStopMessage"
            tone="primary"
            keys="R"
            disabled={!live}
            onClick={() => void actions.reArm(session.id)}
          >
            {w.goal.reArm}
          </Button>
        )}
        <OpenTerminalButton session={session} />
      </div>
    </Trouble>
  )
}

/** A person's possible answers where a goal was set in another conversation of the terminal. */
export function LeftGoalActions({ session, small = false }: { session: SessionView; small?: boolean }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  return (
    <TwoAnswers
      live={live}
      small={small}
      first={{
        does: 'carryOnStopMessage',
        label: w.card.carryOn,
        hint: w.card.carryOnHint,
        onClick: () => void actions.carryOn(session.id),
      }}
      other={{ does: 'clearStopMessage', label: w.card.endGoal, onClick: () => void actions.clear(session.id) }}
    />
  )
}
