import type { ReactNode } from 'react'
import { useApp, useLive, useWords, useEngine } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { Words } from '../../i18n/index.ts'
import type { PauseReason } from '../../../shared/events.ts'
import type { SessionView } from '../../../shared/state.ts'
import type { SessionShape } from '../../../shared/words.ts'
import { checksOf } from '../../state/checks.ts'
import { checkText } from '../checks/check-text.ts'
import { commandText } from '../checks/words.ts'
import { AllRounds } from '../rounds/all-rounds.tsx'

/** It stopped by itself to ask: why, in whose words, and everything that answers it. */
export function PausedCard({ session, reason }: { session: SessionView; reason: PauseReason }) {
  const words = useWords()
  const { shape, title, text, quote } = pausedText(reason, words)
  const unapproved = reason.code === 'checks-unapproved'
  return (
    <Trouble shape={shape} title={title} text={text}>
      {quote && (
        <p className="quote" tabIndex={quote.length > 400 ? 0 : undefined}>
          {quote}
        </p>
      )}
      {unapproved && <AskedChecks session={session} names={reason.names} />}
      <div className="hstack">
        {answersOf(session, reason).map((answer) => (
          <Answer key={answer} session={session} answer={answer} first={answer === 'go-on' && !unapproved} />
        ))}
        <span className="grow" />
        <AllRounds session={session} />
      </div>
    </Trouble>
  )
}

interface PausedText {
  shape: SessionShape
  title: string
  text: string
  quote?: string
}

function textOf({ budget, goesOnAt }: Extract<PauseReason, { code: 'budget' }>, c: Words['w']['card']): string {
  if (goesOnAt !== undefined) return c.askedOnceText
  return budget === 'no-progress' ? c.stuckText : c.pausedText
}

function pausedText(reason: PauseReason, { w, s }: Words): PausedText {
  const c = w.card
  switch (reason.code) {
    case 'needs-user':
      return { shape: 'needs', title: c.blockedTitle, quote: reason.text, text: c.blockedText }
    case 'checks-unapproved':
      return { shape: 'needs', title: c.unapprovedTitle(reason.names.length), text: c.unapprovedText }
    case 'review-failed':
      return { shape: 'failed', title: c.reviewFailedTitle(reason.times), quote: reason.why, text: c.reviewFailedText }
    case 'budget':
      return {
        shape: 'paused',
        title: s.pause(reason),
        text: textOf(reason, c),
      }
    case 'not-received':
    case 'not-submitted':
    case 'by-user':
      return { shape: 'paused', title: s.pause(reason), text: c.pausedPlain }
  }
}

type AnswerName = 'go-on' | 'change' | 'review-off' | 'terminal' | 'stop'

function answersOf({ stopMessage, terminalId }: SessionView, reason: PauseReason): AnswerName[] {
  const goal: AnswerName[] = stopMessage ? ['change'] : []
  const terminal: AnswerName[] = terminalId ? ['terminal'] : []
  const stop: AnswerName[] = stopMessage ? ['stop'] : []
  switch (reason.code) {
    case 'needs-user':
      return ['go-on', ...goal, ...terminal]
    case 'checks-unapproved':
      return ['go-on', ...goal]
    case 'review-failed':
      return ['go-on', ...(stopMessage?.review ? ['review-off' as const] : []), ...stop]
    default:
      return ['go-on', ...goal, ...stop]
  }
}

function Answer({ session, answer, first }: { session: SessionView; answer: AnswerName; first: boolean }): ReactNode {
  const { actions, navigation, ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  const { id } = session
  const resume = () => void actions.resume(id)
  switch (answer) {
    case 'go-on':
      return (
        <Button does="resume" tone={first ? 'primary' : undefined} disabled={!live} onClick={resume}>
          {w.session.continue}
        </Button>
      )
    case 'change':
      return (
        <Button does="editStopMessage" disabled={!live} onClick={() => ui.setState({ editingGoal: id })}>
          {w.card.changeGoal}
        </Button>
      )
    case 'review-off':
      return (
        <Button does="editStopMessage" disabled={!live} onClick={() => void actions.setReview(id, false).then(resume)}>
          {w.card.reviewOff}
        </Button>
      )
    case 'terminal':
      return (
        <Button
          onClick={() => navigation.go({ view: 'sessions', selection: { kind: 'session', id, tab: 'terminal' } })}
        >
          {w.card.openTerminal}
        </Button>
      )
    case 'stop':
      return (
        <Button does="clearStopMessage" tone="quiet" disabled={!live} onClick={() => void actions.clear(id)}>
          {w.card.stopHere}
        </Button>
      )
  }
}

/** The checks a goal waits for, each with the word it lacks right there. */
function AskedChecks({ session, names }: { session: SessionView; names: readonly string[] }) {
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
