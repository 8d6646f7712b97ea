import { useEngine, useWords } from '../../app-context.ts'
import { Icon, type IconName } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Said } from '../../parts/said.tsx'
import { withStop } from '../../parts/with-stop.ts'
import type { Words } from '../../i18n/index.ts'
import type { DecisionStep, EventBody } from '../../../shared/events.ts'
import type { ReviewView } from '../../../shared/review.ts'
import type { SessionShape } from '../../../shared/words.ts'
import type { EventRow } from './groups.ts'
import { HeldMarkerRow } from '../goal/held-markers.tsx'
import { ReviewFacts } from '../review/review-facts.tsx'
import { verdictOf } from '../review/verdict.ts'
import { Steps, WhyBox, WhyLink } from './why.tsx'
import type { AlarmsView } from '../../../shared/alarms/alarms.ts'
import { excerpt } from '../../../shared/sentences/excerpt.ts'

export function EventRowView({ row, linked, active }: { row: EventRow; linked: boolean; active: boolean }) {
  const words = useWords()
  const { s, f } = words
  const { event, at, key } = row
  const { body } = event
  const symbol = symbolOf(body)
  const text = toolText(body, words) ?? s.event(event)
  const steps = stepsOf(body)
  const review = body.type === 'review-done' && explains(body.review) ? body.review : null
  return (
    <div className={`tl-ev${linked ? ' linked' : ''}${active ? ' is-active' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>
        {f.time(at)}
      </time>
      {'shape' in symbol ? <Shape shape={symbol.shape} name={s.shape(symbol.shape)} /> : <Icon name={symbol.icon} />}
      <div className="tl-what">
        <span className={isQuiet(body) ? 'no' : undefined}>
          <Said text={steps.length > 0 || review || body.type === 'matched' ? withStop(text) : text} />
        </span>
        <AlarmTexts body={body} />
        {body.type === 'marker-held' && <HeldMarkerRow session={event.sessionId} id={body.offered} />}
        {steps.length > 0 && (
          <>
            {' '}
            <WhyLink id={key} about={text} />
            <WhyBox id={key}>
              <Steps steps={steps} />
            </WhyBox>
          </>
        )}
        {review && (
          <>
            {' '}
            <WhyLink id={key} about={text} />
            <WhyBox id={key}>
              <ReviewFacts review={review} />
            </WhyBox>
          </>
        )}
      </div>
      <span className="tl-side">{sideOf(body, words)}</span>
    </div>
  )
}

const stepsOf = (body: EventBody): readonly DecisionStep[] =>
  body.type === 'matched' || body.type === 'skipped' ? body.steps : []

/** A review that found nothing to show needs no “Why”. */
const explains = ({ evidence, blockers, looks, checks }: ReviewView): boolean =>
  evidence.length + blockers.length + looks.length + checks.length > 0

function isQuiet(body: EventBody): boolean {
  switch (body.type) {
    case 'skipped':
    case 'review-started':
    case 'servertool-called':
    case 'servertool-round':
    case 'alarm-claimed':
    case 'time-sync':
      return true
    case 'servertool-stripped':
      return body.why === 'not-a-turn'
    case 'review-done':
      return body.review.outcome.code === 'discarded'
    case 'notified':
      return body.result !== 'failed'
    default:
      return false
  }
}

function sideOf(body: EventBody, { w, s, f }: Words): string {
  switch (body.type) {
    case 'turn-ended':
      return body.route ? `${body.route.provider}/${body.route.model}` : ''
    case 'servertool-ran':
      return w.timeline.toolFacts(f.took(body.ms), f.bytes(body.bytes))
    case 'review-done':
      return w.review.side(f.took(body.review.ms), f.cost(body.review))
    case 'done':
      return body.spent && body.spent.tokens > 0 ? s.used(body.spent) : ''
    case 'check-ran':
      return f.took(body.run.ms)
    case 'servertool-failed':
    case 'servertool-reacted':
      return f.took(body.ms)
    default:
      return ''
  }
}

/** Time and size stand at the side: the sentences that have them in their middle are for where there is no side. */
function toolText(body: EventBody, { w }: Words): string | null {
  switch (body.type) {
    case 'servertool-called':
      return w.timeline.toolCalled(body.tool, null)
    case 'servertool-ran':
      return w.timeline.toolCalled(body.tool, body.note ?? null)
    case 'servertool-failed':
      return w.timeline.toolFailed(body.tool, body.message)
    case 'servertool-reacted':
      return w.timeline.toolDid(body.tool, body.note)
    default:
      return null
  }
}

function symbolOf(body: EventBody): { icon: IconName } | { shape: SessionShape } {
  switch (body.type) {
    case 'matched':
      return { icon: 'bolt' }
    case 'review-done':
      return body.review.outcome.code === 'failed' || body.review.outcome.code === 'needs-user'
        ? { shape: verdictOf(body.review.outcome).shape }
        : { icon: 'reviewer' }
    case 'review-started':
    case 'check-approved':
    case 'check-forgotten':
      return { icon: 'reviewer' }
    case 'check-ran':
      return { shape: body.run.outcome === 'passed' ? 'done' : 'failed' }
    case 'goal-left':
      return { shape: 'needs' }
    case 'goal-carried-on':
    case 'stop-message-edited':
      return { icon: 'goal' }
    case 'skipped':
      return { shape: 'idle' }
    case 'armed':
    case 'cleared':
    case 'used':
      return { icon: 'goal' }
    case 'marker-applied':
    case 'edited':
      return { icon: 'edit' }
    case 'paused':
      return { shape: 'paused' }
    case 'resumed':
      return { icon: 'play' }
    case 'done':
      return { shape: 'done' }
    case 'drive':
      return { icon: 'repeat' }
    case 'drives-ask':
    case 'needs-you':
    case 'stalled':
    case 'marker-held':
      return { shape: 'needs' }
    case 'over':
      return { shape: body.what === 'stall' ? 'working' : 'idle' }
    case 'engine':
      return { icon: 'bolt' }
    case 'rebound':
    case 'terminal-opened':
    case 'terminal-closed':
      return { icon: 'term' }
    case 'dialog-answered':
      return { icon: 'user' }
    case 'notified':
      return { icon: 'bell' }
    case 'turn-started':
      return { shape: 'working' }
    case 'turn-ended':
    case 'text-removed':
    case 'marker-forgotten':
      return { shape: 'idle' }
    case 'marker-refused':
    case 'failed':
    case 'unknown':
    case 'stop-message-failed':
    case 'resume-failed':
    case 'store-problem':
    case 'config-problem':
    case 'engine-problem':
      return { shape: 'failed' }
    case 'provider-resting':
    case 'limit-reached':
      return { shape: 'held' }
    case 'outage-over':
    case 'outage-set':
      return { icon: 'routes' }
    case 'provider-back':
    case 'resume-set':
    case 'resume-cancelled':
    case 'recover-waits':
    case 'recover-ended':
    case 'revived':
    case 'revive-refused':
    case 'cache-kept':
    case 'cache-not-kept':
    case 'alarm-set':
    case 'alarm-changed':
    case 'alarm-cancelled':
    case 'alarm-rang':
    case 'alarm-claimed':
    case 'alarm-settled':
    case 'hold-ended':
    case 'time-sync':
      return { icon: 'alarm' }
    case 'alarm-delivered':
      return { shape: 'done' }
    case 'alarm-missed':
    case 'servertool-failed':
      return { shape: 'failed' }
    case 'alarm-released':
    case 'hold-started':
      return { shape: 'held' }
    case 'servertool-stripped':
      return { shape: body.why === 'not-a-turn' ? 'idle' : 'failed' }
    case 'servertool-called':
    case 'servertool-ran':
    case 'servertool-reacted':
      return { icon: 'tool' }
    case 'servertool-round':
      return { icon: 'right' }
    case 'queued':
    case 'mentions-escaped':
    case 'held':
    case 'typed':
    case 'submitted':
    case 'confirmed':
    case 'superseded':
    case 'cancelled':
    case 'expired':
      return { icon: 'type' }
  }
}

/** Events of alarms name them by id; their texts stand in the alarms, for as long as those are known. */
function AlarmTexts({ body }: { body: EventBody }) {
  const text = useEngine((s) => (s.alarms ? textsOf(body, s.alarms) : ''))
  return text === '' ? null : <span className="t3"> {text}</span>
}

const most = 3

function textsOf(body: EventBody, { alarms, missed, history }: AlarmsView): string {
  const ids = 'taskIds' in body ? body.taskIds : 'taskId' in body ? [body.taskId] : []
  if (ids.length === 0) return ''
  const find = (id: string): string[] => {
    const known =
      alarms.find(({ taskId }) => taskId === id) ??
      missed.find(({ taskId }) => taskId === id) ??
      history.find(({ taskId }) => taskId === id)
    return known ? [`“${excerpt(known.task, 60)}”`] : []
  }
  return `${ids.slice(0, most).flatMap(find).join(' ')}${ids.length > most ? ' …' : ''}`
}
