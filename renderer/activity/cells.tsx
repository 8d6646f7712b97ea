import type { ReactNode } from 'react'
import { useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Ticking } from '../time/ticking.tsx'
import { pricedSpendOf } from '../../shared/cost/cost.ts'
import type { RouteAttempt } from '../../shared/routing.ts'
import type { SessionView, TurnRecord } from '../../shared/state.ts'
import type { NextStep } from './table-rows.ts'

interface RowCells {
  at: number
  time: string
  session: string | null
  route: string | null
  model: string | null
  in?: string
  cached?: string
  out?: string
  cost?: string
  costTitle?: string
  firstByte?: string
  took: ReactNode
  end: ReactNode
  endTitle?: string
  failed?: boolean
}

export function RunningCells({ session, since, wide }: { session: SessionView; since: number; wide: boolean }) {
  const { w, f } = useWords()
  return (
    <Cells
      wide={wide}
      at={since}
      time={f.time(since)}
      session={session.name}
      route={null}
      model={session.model}
      took={<Ticking text={(now) => f.took(Math.max(0, now - since))} />}
      end={
        <>
          <Shape shape="working" />
          {w.activity.running}
        </>
      }
    />
  )
}

export function TurnCells({
  turn,
  name,
  time,
  wide,
}: {
  turn: TurnRecord
  name: string | null
  time: string
  wide: boolean
}) {
  const { s, f } = useWords()
  const { usage, route } = turn
  const failed = turn.error !== null || turn.finish === 'error' || turn.finish === 'broken-off'
  const end = turn.kind === 'turn' ? s.finish(turn.finish) : s.turn(null, turn.kind)
  return (
    <Cells
      wide={wide}
      at={turn.at}
      time={time}
      session={name}
      route={route?.category ?? null}
      model={route ? `${route.provider}/${route.model}` : turn.model}
      failed={failed}
      in={usage ? f.tokens(usage.input) : undefined}
      cached={usage ? f.tokens(usage.cachedInput) : undefined}
      out={usage ? f.tokens(usage.output) : undefined}
      cost={f.cost(pricedSpendOf(turn)) ?? undefined}
      costTitle={s.paid(turn) ?? undefined}
      firstByte={turn.ttfbMs === null ? undefined : f.took(turn.ttfbMs)}
      took={f.took(turn.durationMs)}
      endTitle={turn.error?.message}
      end={
        <>
          {failed ? <Shape shape="failed" /> : <span className="nost" />}
          {failed && turn.status >= 400 ? f.list([end, String(turn.status)]) : end}
        </>
      }
    />
  )
}

/** An upstream that gave no answer: its error, and the step after it. */
export function AttemptCells({
  turn,
  attempt,
  next,
  name,
  time,
  wide,
}: {
  turn: TurnRecord
  attempt: RouteAttempt
  next: NextStep
  name: string | null
  time: string
  wide: boolean
}) {
  const { w, s, f } = useWords()
  const why = attempt.status === null ? s.callFailure(attempt.code) : String(attempt.status)
  const said = next === 'nothing' ? why : w.activity.next[next](why)
  return (
    <Cells
      wide={wide}
      at={attempt.at}
      time={time}
      session={name}
      route={turn.route?.category ?? null}
      model={`${attempt.provider}/${attempt.model}`}
      failed
      took={f.took(attempt.durationMs)}
      end={
        <>
          <Shape shape="failed" />
          {said}
        </>
      }
      endTitle={f.list([said, w.activity.attempt(attempt.code, attempt.keyAlias)])}
    />
  )
}

function Cells({
  wide,
  at,
  time,
  session,
  route,
  model,
  took,
  end,
  endTitle,
  failed,
  ...row
}: RowCells & { wide: boolean }) {
  const { w, f } = useWords()
  const none = w.activity.noFigure
  return (
    <>
      <span role="gridcell" className="t3" title={f.instant(at)}>
        {time}
      </span>
      <span role="gridcell" className="name" title={session ?? undefined}>
        {session ?? w.activity.none}
      </span>
      <span role="gridcell">{route ?? none}</span>
      <span role="gridcell" title={model ?? undefined}>
        {model ?? none}
      </span>
      <span role="gridcell" className="r">
        {row.in ?? none}
      </span>
      {wide && (
        <span role="gridcell" className="r t3">
          {row.cached ?? none}
        </span>
      )}
      <span role="gridcell" className="r">
        {row.out ?? none}
      </span>
      <span role="gridcell" className="r t3" title={row.costTitle}>
        {row.cost ?? none}
      </span>
      <span role="gridcell" className="r">
        {row.firstByte ?? none}
      </span>
      <span role="gridcell" className="r">
        {took}
      </span>
      <span role="gridcell" className={failed ? 'failed' : undefined} title={endTitle}>
        {end}
      </span>
    </>
  )
}
