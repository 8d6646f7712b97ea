import { useApp, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { IconButton } from '../parts/button.tsx'
import { Shape } from '../icons/shape.tsx'
import type { TurnRecord } from '../../shared/state.ts'

/** One turn's record: its time, why it went where it went, its figures. */
export function RecordPane({ record, name, onCopy }: { record: TurnRecord; name: string | null; onCopy: () => void }) {
  const { ui } = useApp()
  const { w, s, f } = useWords()
  const { route, usage, ttfbMs } = record
  const t = w.activity.fields
  const close = () => ui.setState({ record: null })
  const count = (n: number) => n.toLocaleString('en').replaceAll(',', ' ')
  const facts: readonly (readonly [string, string | null])[] = [
    [t.request, record.requestId], [t.entry, w.details.protocols[record.entry]], [t.kind, record.kind === 'turn' ? null : s.turn(null, record.kind)], [t.finish, s.finish(record.finish)], [t.status, String(record.status)],
    [t.tokensIn, usage && f.list([count(usage.input), w.details.cached(count(usage.cachedInput))])], [t.tokensOut, usage && f.list([count(usage.output), w.details.reasoning(count(usage.reasoning))])],
    [t.cost, record.costUsd === null ? null : f.money(record.costUsd)], [t.bytes, w.activity.bytes(f.bytes(record.bytesIn), f.bytes(record.bytesOut))], [t.dropped, record.dropped ? f.list(record.dropped) : null], [t.error, record.error?.message ?? null],
  ]
  return (
    <aside className="pane side over" aria-label={w.activity.record} data-pane-stop>
      <header className="pane-head">
        <IconButton icon="left" className="narrow-only" name={w.activity.back} onClick={close} />
        <h1>{w.activity.record}</h1><span className="meta cut">{f.list([name ?? w.activity.none, f.time(record.at)])}</span><span className="grow" />
        <IconButton icon="copy" small name={w.activity.copy} onClick={onCopy} /><IconButton icon="x" small name={w.activity.close} onClick={close} />
      </header>
      <div className="scroll"><div className="side-body">
        {ttfbMs !== null && (
          <>
            <div className="hstack"><span className="meta">{w.activity.firstByte(f.took(ttfbMs))}</span><span className="grow" /><span className="meta num">{f.took(record.durationMs)}</span></div>
            <div className="wf" role="img" aria-label={w.activity.waterfall(f.took(ttfbMs), f.took(Math.max(0, record.durationMs - ttfbMs)))}><i style={{ flex: Math.max(1, ttfbMs) }} /><i style={{ flex: Math.max(1, record.durationMs - ttfbMs) }} /></div>
          </>
        )}
        <h2>{route ? w.activity.why(`${route.provider}/${route.model}`) : w.activity.noRoute}</h2>
        {route && (
          <ol className="steps">
            {route.why.map((reason) => <li key={s.routeReason(reason)}><Icon name="check" /><span>{s.routeReason(reason)}</span></li>)}
            {route.skipped.map((skip) => <li key={`${skip.candidate} ${skip.why.code}`}><Shape shape="held" /><span>{w.timeline.passedOver(skip.candidate, s.passedOver(skip.why, record.at))}</span></li>)}
            {route.keyAlias && <li><Icon name="key" /><span>{w.timeline.key(route.keyAlias)}</span></li>}
          </ol>
        )}
        <h2>{w.activity.record}</h2>
        <dl className="kv">{facts.map(([field, value]) => value !== null && <div key={field}><dt>{field}</dt><dd className="num wrap">{value}</dd></div>)}</dl>
      </div></div>
    </aside>
  )
}
