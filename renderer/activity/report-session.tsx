import { useApp, useEngine, useOfAll, useWords } from '../app-context.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import { Shape } from '../icons/shape.tsx'
import type { Words } from '../i18n/index.ts'
import { shareOf, spanKinds, wholeOf, type ReportDiff, type SessionReport } from '../../shared/report.ts'
import { piecesOf } from './report-axis.ts'

/** One session: its order, claims and needs, its checks, and how its time went. */
export function ReportSession({ one, from, until }: { one: SessionReport; from: number; until: number }) {
  const { navigation, machine } = useApp()
  const all = useOfAll()
  const { w, s, f } = useWords()
  const r = w.report
  const isKnown = useEngine((state) => state.sessions.has(one.id))
  const { shape, say } = one.now
  const facts = [r.turns(one.turns), ...[f.cost(one.spent)].flatMap((cost) => cost ?? [])]
  const open = () => navigation.go({ view: 'sessions', selection: { kind: 'session', id: one.id, tab: 'timeline' } })
  return (
    <section className="blk" aria-label={one.name}>
      <div className="blk-h">
        <Shape shape={shape} name={s.shape(shape)} />
        <h2 className="cut">
          {isKnown ? (
            <button type="button" className="link" onClick={open}>
              {one.name}
            </button>
          ) : (
            one.name
          )}
        </h2>
        <span className="t3">{one.client}</span>
        {all && <MachineMark machine={machine} />}
        <span className="grow" />
        <span className="meta num blk-facts">{facts.join(' · ')}</span>
      </div>
      <div className="blk-g">
        <dl className="said">
          <Said term={r.asked} text={one.asked} />
          <Said term={r.claims} text={one.claims?.text ?? null} />
          <Said term={r.reviewer} text={one.reviewed?.text ?? null} />
          <dt>{r.now}</dt>
          <dd className={one.needsYou ? 'said-now asks' : 'said-now'}>{s.say(say, until)}</dd>
        </dl>
        <div>
          <ul className="check-list meta">
            {one.checks.map(({ name, outcome, say: result, at }) => (
              <li key={name}>
                <Shape shape={outcome === 'passed' ? 'done' : 'failed'} name={s.checkOutcome(outcome)} />
                <code className="cut">{name}</code>
                <span className={`grow cut${outcome === 'passed' ? '' : ' failed'}`} title={result}>
                  {result}
                </span>
                <span className="num" title={f.instant(at)}>
                  {f.minute(at)}
                </span>
              </li>
            ))}
          </ul>
          {(one.rounds || one.diff) && (
            <div className="hstack meta blk-did">
              {one.rounds && (
                <span className="num">{r.roundsHere(one.rounds.used, one.rounds.max, one.rounds.here)}</span>
              )}
              <span className="grow" />
              {one.diff && <Diff diff={one.diff} />}
            </div>
          )}
        </div>
      </div>
      <Way one={one} from={from} until={until} />
    </section>
  )
}

function Said({ term, text }: { term: string; text: string | null }) {
  if (text === null || text === '') return null
  return (
    <>
      <dt>{term}</dt>
      <dd className="said-text" title={text}>
        {text}
      </dd>
    </>
  )
}

export function Diff({ diff: { files, added, removed } }: { diff: ReportDiff }) {
  const { w } = useWords()
  return (
    <span className="num">
      <span className="done">+{added}</span> <span className="failed">−{removed}</span> {w.report.files(files)}
    </span>
  )
}

/** The time as a bar, and in words. */
function Way({ one, from, until }: { one: SessionReport; from: number; until: number }) {
  const words = useWords()
  const { w } = words
  const parts = timeParts(one, words)
  return (
    <>
      <div className="way" role="img" aria-label={parts.map(({ name, span }) => `${name} ${span}`).join(', ')}>
        {piecesOf(one.spans, from, until).map(({ kind, width }, i) => (
          // Pieces have no name but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <i key={i} className={kind === null ? undefined : `k-${kind}`} style={{ width: `${width}%` }} />
        ))}
      </div>
      <div className="w-legend meta">
        {parts.map(({ kind, name, span }) => (
          <span key={kind}>
            <i className={`k-${kind}`} />
            {name} <b className="num">{span}</b>
          </span>
        ))}
        <span className="right num">{w.report.worked(shareOf(one.sums.working, wholeOf(one.sums)))}</span>
      </div>
    </>
  )
}

/** The parts that are put into words: short ones would only hide the rest. */
const timeParts = ({ sums }: SessionReport, { w, f }: Words) =>
  spanKinds
    .filter((kind) => sums[kind] > wholeOf(sums) / 500)
    .map((kind) => ({ kind, name: w.report.kinds[kind], span: f.span(sums[kind]) }))
