import type { ReactNode } from 'react'
import { useApp, useEngine, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { IconButton } from '../parts/button.tsx'
import { CommandLine } from '../parts/copy-line.tsx'
import { Shape } from '../icons/shape.tsx'
import { targetText } from '../../shared/target-text.ts'
import { withoutTried } from '../../shared/setup/tried.ts'
import type { TurnRecord } from '../../shared/state.ts'
import type { EntryProtocol } from '../../shared/words.ts'

/** One turn's record: its time, the reasons for its route, attempts and changes, its figures. */
export function RecordPane({ record, name, onCopy }: { record: TurnRecord; name: string | null; onCopy: () => void }) {
  const { ui } = useApp()
  const { w, s, f } = useWords()
  const { route, ttfbMs } = record
  const close = () => ui.setState({ record: null })
  const turn = record.turn ?? null
  const title = record.kind === 'turn' && turn === null ? w.activity.record : s.turn(turn, record.kind)
  return (
    <aside className="pane side over" aria-label={title} data-pane-stop>
      <header className="pane-head">
        <IconButton icon="left" className="narrow-only" name={w.activity.back} onClick={close} />
        <h1 className="keep">{title}</h1>
        <span className="meta cut num" title={f.instant(record.at)}>
          {f.list([name ?? w.activity.none, f.time(record.at)])}
        </span>
        <span className="grow" />
        <IconButton icon="copy" small name={w.activity.copy} onClick={onCopy} />
        <IconButton icon="x" small name={w.activity.close} className="wide-only" onClick={close} />
      </header>
      <div className="scroll">
        <div className="side-body">
          {ttfbMs !== null && (
            <>
              <div className="hstack">
                <span className="meta">{w.activity.firstByte(f.took(ttfbMs))}</span>
                <span className="grow" />
                <span className="meta num">{f.took(record.durationMs)}</span>
              </div>
              <div
                className="wf"
                role="img"
                aria-label={w.activity.waterfall(f.took(ttfbMs), f.took(Math.max(0, record.durationMs - ttfbMs)))}
              >
                <i style={{ flex: Math.max(1, ttfbMs) }} />
                <i style={{ flex: Math.max(1, record.durationMs - ttfbMs) }} />
              </div>
            </>
          )}
          <h2>{route ? w.activity.why(`${route.provider}/${route.model}`) : w.activity.noRoute}</h2>
          {route && (
            <ol className="steps">
              {route.why.map((reason) => (
                <li key={s.routeReason(reason)}>
                  <Icon name="check" />
                  <span>{s.routeReason(reason)}</span>
                </li>
              ))}
              {route.skipped.map((skip) => (
                <li key={`${skip.candidate} ${skip.why.code}`}>
                  <Shape shape="held" />
                  <span>{w.timeline.passedOver(targetText(skip.candidate), s.passedOver(skip.why, record.at))}</span>
                </li>
              ))}
              {route.keyAlias && (
                <li>
                  <Icon name="key" />
                  <span>{w.timeline.key(route.keyAlias)}</span>
                </li>
              )}
            </ol>
          )}
          {record.error && (
            <p className="failed wrap">{record.tried ? withoutTried(record.error.message) : record.error.message}</p>
          )}
          <Tried record={record} />
          <Ran record={record} />
          <Changed record={record} />
          <h2>{w.activity.record}</h2>
          <Facts record={record} />
        </div>
      </div>
    </aside>
  )
}

function Tried({ record: { tried } }: { record: TurnRecord }) {
  const { w, s, f } = useWords()
  if (!tried || tried.length === 0) return null
  return (
    <>
      <h2>{w.activity.tried}</h2>
      <ol className="steps">
        {tried.map((attempt, i) => (
          <li key={i}>
            <Shape shape="failed" />
            <span title={f.list([f.instant(attempt.at), attempt.code])}>
              {w.activity.chartValue(
                w.activity.attempt(`${attempt.provider}/${attempt.model}`, attempt.keyAlias),
                w.activity.attemptEnd(
                  s.callFailure(attempt.status === null ? attempt.code : String(attempt.status)),
                  f.took(attempt.durationMs),
                ),
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

function Ran({ record: { servertools } }: { record: TurnRecord }) {
  const { w, f } = useWords()
  if (!servertools || servertools.length === 0) return null
  const rounds = servertools.some(({ round }) => round > 1)
  return (
    <>
      <h2>{w.activity.tools}</h2>
      <ol className="steps">
        {servertools.map(({ tool, round, ms, bytes, failure }, i) => (
          <li key={i}>
            {failure === null ? <Icon name="tool" /> : <Shape shape="failed" />}
            <span>
              <code>{tool}</code>
              {failure !== null && ` ${failure}`}
            </span>
            <span className="meta num run">
              {f.list([
                ...(rounds ? [w.activity.toolRound(round)] : []),
                f.took(ms),
                ...(failure === null ? [f.bytes(bytes)] : []),
              ])}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** The record has no provider's type: a provider that is gone from the config leaves the conversion out. */
function Changed({ record: { route, entry, dropped } }: { record: TurnRecord }) {
  const { w, f } = useWords()
  const type = useEngine(
    (state) => state.status?.providers.find((provider) => provider.id === route?.provider)?.type ?? null,
  )
  const types: Record<string, string> = w.providers.types
  const from = w.activity.protocols[entry]
  const lost = dropped ?? []
  if (route === null || (type === null && lost.length === 0)) return null
  return (
    <>
      <h2>{w.activity.changed}</h2>
      <ol className="steps">
        {type !== null && (
          <li>
            <Icon name="routes" />
            <span>
              {sameProtocol(entry, type) ? w.activity.asItCame(from) : w.activity.converted(from, types[type] ?? type)}
            </span>
          </li>
        )}
        {lost.length > 0 && (
          <li>
            <Icon name="x" />
            <span>
              {w.activity.dropped(route.model)}{' '}
              {lost.map((field, i): ReactNode => (
                <span key={field}>
                  {i > 0 && f.list(['', ''])}
                  <code>{field}</code>
                </span>
              ))}
            </span>
          </li>
        )}
      </ol>
    </>
  )
}

function Facts({ record }: { record: TurnRecord }) {
  const { w, s, f } = useWords()
  const t = w.activity.fields
  const { usage } = record
  const count = (n: number) => n.toLocaleString('en').replaceAll(',', ' ')
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t.request, record.requestId],
    [t.entry, w.details.protocols[record.entry]],
    [t.by, record.by ? w.activity.begunBy[record.by] : null],
    [t.kind, record.kind === 'turn' ? null : s.turn(null, record.kind)],
    [t.finish, s.finish(record.finish)],
    [t.status, String(record.status)],
    [t.tokensIn, usage && f.list([count(usage.input), w.details.cached(count(usage.cachedInput))])],
    [t.tokensOut, usage && f.list([count(usage.output), w.details.reasoning(count(usage.reasoning))])],
    [t.cost, s.paid(record)],
    [t.cache, record.cold ? s.cold(record.cold) : null],
    [t.bytes, w.activity.bytes(f.bytes(record.bytesIn), f.bytes(record.bytesOut))],
    [t.bodies, record.captured ? <Kept key="kept" request={record.requestId} /> : w.activity.notCaptured],
  ]
  return (
    <dl className="kv">
      {facts.map(
        ([field, value]) =>
          value !== null && (
            <div key={field}>
              <dt>{field}</dt>
              <dd className="num wrap">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function Kept({ request }: { request: string }) {
  const { w } = useWords()
  return (
    <span className="vstack bodies">
      <span>{w.activity.captured}</span>
      <CommandLine text={`onward turns show ${request}`} />
    </span>
  )
}

/** The protocol of each type of provider; the simulator speaks all of them. */
const spoken: Record<string, EntryProtocol> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  anthropic: 'messages',
  gemini: 'gemini',
}

const sameProtocol = (entry: EntryProtocol, type: string): boolean => type === 'simulator' || spoken[type] === entry
