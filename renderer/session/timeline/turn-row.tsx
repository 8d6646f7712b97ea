import { useEngine, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Said } from '../../parts/said.tsx'
import { Ticking } from '../../time/ticking.tsx'
import { toolsText } from '../tools-text.ts'
import type { TurnRow } from './groups.ts'
import { RouteWhy, WhyBox, WhyLink } from './why.tsx'
import { pricedSpendOf } from '../../../shared/cost/cost.ts'
import { targetText } from '../../../shared/target-text.ts'

/** One turn: its end, its usage, its target. A running one counts its seconds. */
export function TurnRowView({
  row,
  active,
  running,
  route: target,
}: {
  row: TurnRow
  active: boolean
  running: number | null
  route: string | null
}) {
  const { w, s, f } = useWords()
  const offline = useEngine((state) => state.link.kind === 'stopped')
  const { started, ended, at } = row
  const body = ended?.body
  const kind = body?.kind ?? started?.body.kind ?? 'turn'
  const subject = s.turn(body ? body.turn : kind === 'turn' ? running : null, kind)
  const failed =
    body !== undefined && (body.error !== undefined || body.finish === 'error' || body.finish === 'broken-off')
  const text = ended ? s.event(ended) : `${subject}${/\p{Script=Han}$/u.test(subject) ? '' : ' '}${w.timeline.running}`
  const side =
    body &&
    [
      body.usage && w.timeline.in(f.tokens(body.usage.input)),
      body.usage && w.timeline.out(f.tokens(body.usage.output)),
      f.took(body.durationMs),
      body.costUsd === undefined || body.price?.from === 'plan' || body.price?.from === 'local'
        ? null
        : f.cost(pricedSpendOf({ ...body, costUsd: body.costUsd })),
    ]
      .filter(Boolean)
      .join(' · ')
  const route = body?.route ?? null
  const paid = body?.costUsd === undefined ? null : s.paid({ ...body, costUsd: body.costUsd })
  const more = f.list([route ? `${route.provider}/${route.model}` : '', paid ?? ''].filter(Boolean))
  const explained = route !== null && (route.why.length > 0 || route.skipped.length > 0)
  return (
    <div className={`tl-turn${kind === 'turn' || kind === 'subagent' ? '' : ' quiet'}${active ? ' is-active' : ''}`}>
      <time dateTime={new Date(at).toISOString()} title={f.instant(at)}>
        {f.time(at)}
      </time>
      {failed ? (
        <Shape shape="failed" name={s.shape('failed')} />
      ) : body ? (
        <Shape shape="idle" name={s.shape('idle')} />
      ) : (
        <Shape shape={offline ? 'gone' : 'working'} name={s.shape(offline ? 'gone' : 'working')} />
      )}
      <div className="tl-what">
        <Said text={text} subject={subject} />
        {body && body.tools.length > 0 && <span className="t3"> — {toolsText(body.tools)}</span>}
        {row.times > 1 && <span className="t3"> {w.timeline.times(row.times)}</span>}
        {explained && (
          <>
            {' '}
            <WhyLink id={row.key} about={text} />
          </>
        )}
        {failed && route && route.skipped.length > 0 && (
          <ul className="tried meta">
            {route.skipped.map((skip) => (
              <li key={`${skip.candidate} ${skip.why.code}`}>
                <Shape shape="failed" />
                <span title={targetText(skip.candidate)}>{targetText(skip.candidate)}</span>
                <span>{s.passedOver(skip.why, at)}</span>
              </li>
            ))}
          </ul>
        )}
        {route && (
          <WhyBox id={row.key}>
            <RouteWhy route={route} at={at} />
          </WhyBox>
        )}
      </div>
      <span className="tl-side" title={more === '' ? undefined : more}>
        {side ?? <Running since={at} route={target} ticks={!offline} />}
      </span>
    </div>
  )
}

function Running({ since, route, ticks }: { since: number; route: string | null; ticks: boolean }) {
  const { f } = useWords()
  return (
    <>
      {route}
      {route && ticks && ' · '}
      {ticks && <Ticking text={(now) => f.span(now - since)} />}
    </>
  )
}
