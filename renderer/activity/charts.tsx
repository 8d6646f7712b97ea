import { useOfAll, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Trouble } from '../parts/trouble.tsx'
import type { ActivityBucket, ActivityView } from '../../shared/state.ts'
import { axisOf } from './axis.ts'
import { bucketTimesOf } from './bucket-times.ts'
import { Bars, Chart, Lines, type ChartValue } from './chart.tsx'
import { scaleOf } from './scale.ts'

/** Hours of a bucket; one in which the clock is changed is called like the others. */
const perHours = { 24: 1, 168: 6, 720: 24 } as const

export function Charts({
  view,
  problem,
  onRetry,
}: {
  view: ActivityView | null
  problem: string | null
  onRetry: () => void
}) {
  const { w } = useWords()
  const several = useOfAll()
  if (view && view.buckets.length > 0)
    return (
      <section className="charts" aria-label={w.activity.charts}>
        <TurnsChart view={view} />
        <TokensChart view={view} />
        {several ? <NoFirstByte /> : <FirstByteChart view={view} />}
      </section>
    )
  if (problem !== null)
    return (
      <div className="charts-problem">
        <Trouble shape="failed" title={w.activity.figuresFailed} text={problem}>
          <div className="hstack">
            <Button small onClick={onRetry}>
              {w.say.retry}
            </Button>
          </div>
        </Trouble>
      </div>
    )
  return (
    <div className="charts" role="status" aria-busy="true" aria-label={w.activity.loadingFigures}>
      {[0, 1, 2].map((i) => (
        <div key={i} className="chart">
          <div className="chart-wait late">
            <Skeleton width={88} />
            <Skeleton width={120} />
            <div className="ch-wait skel" />
          </div>
        </div>
      ))}
    </div>
  )
}

function useParts(view: ActivityView) {
  const { language, zone, f, w } = useWords()
  const times = bucketTimesOf(language, zone)
  const { buckets } = view
  const read = (values: (bucket: ActivityBucket) => readonly ChartValue[]) => (index: number) => {
    const bucket = buckets[index]
    if (!bucket) return { when: '', values: [], said: '' }
    const when = times.whole(bucket)
    const facts = values(bucket)
    return {
      when,
      values: facts,
      said: w.activity.chartValue(when, f.list(facts.map(({ text, value }) => `${text} ${value}`.trim()))),
    }
  }
  return { hours: perHours[view.hours], axis: axisOf(buckets).map((bucket) => times.tick(bucket)), read }
}

const most = (buckets: readonly ActivityBucket[], of: (bucket: ActivityBucket) => number): number =>
  Math.max(0, ...buckets.map(of))
const counted = (n: number): string => n.toLocaleString('en').replaceAll(',', ' ')

function TurnsChart({ view }: { view: ActivityView }) {
  const { w } = useWords()
  const { hours, axis, read } = useParts(view)
  const { buckets, total } = view
  const scale = scaleOf(
    most(buckets, (b) => b.continued + b.byPerson + b.failed),
    true,
  )
  return (
    <Chart
      title={w.activity.turnsPer(hours)}
      figure={counted(total.continued + total.byPerson + total.failed)}
      note={w.activity.continuedNote(counted(total.continued))}
      scale={scale}
      tick={counted}
      axis={axis}
      count={buckets.length}
      legend={[
        { tone: 'c1', text: w.activity.continued },
        { tone: 'c2', text: w.activity.byPerson },
        { tone: 'c3', text: w.activity.failedTurns },
      ]}
      read={read((b) => [
        { tone: 'c1', text: w.activity.continued, value: counted(b.continued) },
        { tone: 'c2', text: w.activity.byPerson, value: counted(b.byPerson) },
        { tone: 'c3', text: w.activity.failedTurns, value: counted(b.failed) },
      ])}
    >
      <Bars
        top={scale.top}
        buckets={buckets.map((b) => [
          ['c1', b.continued],
          ['c2', b.byPerson],
          ['c3', b.failed],
        ])}
      />
    </Chart>
  )
}

function TokensChart({ view }: { view: ActivityView }) {
  const { w, f } = useWords()
  const { hours, axis, read } = useParts(view)
  const { buckets, total } = view
  const scale = scaleOf(
    most(buckets, (b) => b.input + b.output),
    true,
  )
  return (
    <Chart
      title={w.activity.tokensPer(hours)}
      figure={f.tokens(total.input + total.output)}
      note={w.activity.tokensNote(share(total), f.cost(total))}
      scale={scale}
      tick={f.tokens}
      axis={axis}
      count={buckets.length}
      legend={[
        { tone: 'c1', text: w.activity.tokensIn },
        { tone: 'c2', text: w.activity.tokensOut },
      ]}
      read={read((b) => [
        { tone: 'c1', text: w.activity.tokensIn, value: f.tokens(b.input) },
        { tone: null, text: w.activity.fromCache, value: share(b) ?? w.activity.noFigure },
        { tone: 'c2', text: w.activity.tokensOut, value: f.tokens(b.output) },
        ...[f.cost(b)].flatMap((value) => (value === null ? [] : [{ tone: null, text: w.activity.costs, value }])),
      ])}
    >
      <Bars
        top={scale.top}
        buckets={buckets.map((b) => [
          ['c1', b.input],
          ['c2', b.output],
        ])}
      />
    </Chart>
  )
}

const share = ({ input, cachedInput }: ActivityBucket): string | null =>
  input > 0 ? `${Math.round((cachedInput / input) * 100)}%` : null

/** Of several machines: their medians have no sum. */
function NoFirstByte() {
  const { w } = useWords()
  return (
    <figure className="chart">
      <figcaption>
        <span className="meta">{w.activity.firstByteTitle}</span>
        <p className="meta t3">{w.activity.firstByteOfOne}</p>
      </figcaption>
    </figure>
  )
}

function FirstByteChart({ view }: { view: ActivityView }) {
  const { w, f } = useWords()
  const { axis, read } = useParts(view)
  const { buckets, total } = view
  const scale = scaleOf(most(buckets, (b) => b.ttfb?.p95 ?? 0) / 1000)
  const top = scale.top * 1000
  return (
    <Chart
      title={w.activity.firstByteTitle}
      figure={total.ttfb ? f.took(total.ttfb.median) : w.activity.noFigure}
      note={total.ttfb ? w.activity.firstByteNote(f.took(total.ttfb.p95)) : w.activity.noTurns}
      scale={scale}
      tick={(seconds) => (seconds === 0 ? '0' : w.activity.seconds(String(seconds)))}
      axis={axis}
      count={buckets.length}
      legend={[
        { tone: 'c1', text: w.activity.median, line: true },
        { tone: 'c2', text: w.activity.p95, line: true },
      ]}
      read={read((b) =>
        b.ttfb
          ? [
              { tone: 'c1', text: w.activity.median, value: f.took(b.ttfb.median) },
              { tone: 'c2', text: w.activity.p95, value: f.took(b.ttfb.p95) },
            ]
          : [{ tone: null, text: w.activity.noTurns, value: '' }],
      )}
    >
      <Lines
        top={top}
        series={[
          { tone: 'l2', values: buckets.map((b) => b.ttfb?.p95 ?? null) },
          { tone: 'l1', values: buckets.map((b) => b.ttfb?.median ?? null) },
        ]}
      />
    </Chart>
  )
}
