import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import type { Scale } from './scale.ts'

/**
 * Which of the chart colours: accent is Onward's doing, grey the rest, red what failed; `p1` to `p5` are the parts of
 * one sum, the largest first.
 */
export type Tone = 'c1' | 'c2' | 'c3' | 'p1' | 'p2' | 'p3' | 'p4' | 'p5'
export interface ChartValue {
  tone: Tone | null
  text: string
  value: string
}

interface ChartProps {
  title: string
  figure: string
  note: string
  scale: Scale
  tick: (value: number) => string
  /** begins of buckets along the axis */
  axis: readonly string[]
  legend: readonly { tone: Tone; text: string; line?: boolean }[]
  count: number
  /** a bucket's time and its values, for the tooltip and for screen readers */
  read: (index: number) => { when: string; values: readonly ChartValue[]; said: string }
  /** draws the plot in percent of its box */
  children: ReactNode
}

/**
 * One figure and one small plot. One tab stop: arrow keys walk along the buckets, the pointer shows them as it passes.
 */
export function Chart({ title, figure, note, scale, tick, axis, legend, count, read, children }: ChartProps) {
  const [hovered, setHovered] = useState<number | null>(null)
  const [walked, setWalked] = useState<number | null>(null)
  const [focused, setFocused] = useState(false)
  const last = count - 1
  const at = Math.min(walked ?? last, last)
  const shown = hovered ?? (focused && walked !== null ? at : null)
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setHovered(Math.max(0, Math.min(last, Math.floor(((event.clientX - box.left) / box.width) * count))))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape takes the tooltip away and nothing else: what it covers can be read (WCAG 1.4.13).
    if (event.key === 'Escape' && shown !== null) {
      setWalked(null)
      setHovered(null)
      event.stopPropagation()
      return
    }
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 6,
      PageUp: at + 6,
      Home: 0,
      End: last,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setHovered(null)
    setWalked(Math.max(0, Math.min(last, to)))
  }
  const column = (index: number) => `${((index + 0.5) / count) * 100}%`
  return (
    <figure className="chart">
      <figcaption>
        <span className="meta">{title}</span>
        <span className="chart-fig">
          <b className="fig num">{figure}</b>
          <span className="meta cut num" title={note}>
            {note}
          </span>
        </span>
      </figcaption>
      <div className="ch">
        <div className="ch-y num" aria-hidden="true">
          {scale.ticks.map((value) => (
            <span key={value} style={{ bottom: `${(value / scale.top) * 100}%` }}>
              {tick(value)}
            </span>
          ))}
        </div>
        <div
          className="ch-b"
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-readonly="true"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={shown ?? at}
          aria-valuetext={read(shown ?? at).said}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerLeave={() => setHovered(null)}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            setFocused(true)
            if (event.currentTarget.matches(':focus-visible')) setWalked(at)
          }}
          onBlur={() => {
            setFocused(false)
            setWalked(null)
          }}
        >
          {scale.ticks.map(
            (value) =>
              value > 0 && <i key={value} className="ch-line" style={{ bottom: `${(value / scale.top) * 100}%` }} />,
          )}
          {shown !== null && (
            <i className="ch-at" style={{ left: `${(shown / count) * 100}%`, width: `${100 / count}%` }} />
          )}
          {children}
          {shown !== null && <Tip {...read(shown)} left={column(shown)} />}
        </div>
      </div>
      <div className={`ch-x num${axis.length === count ? ' each' : ''}`} aria-hidden="true">
        {axis.map((text, i) => (
          <span key={`${i} ${text}`}>{text}</span>
        ))}
      </div>
      <div className="legend meta" aria-hidden="true">
        {legend.map(({ tone, text, line }) => (
          <span key={text}>
            <i className={`${tone}${line ? ' line' : ''}`} />
            {text}
          </span>
        ))}
      </div>
    </figure>
  )
}

/** Slides with its column so that it never leaves the chart. */
function Tip({ when, values, left }: { when: string; values: readonly ChartValue[]; left: string }) {
  return (
    <div className="ch-tip num" style={{ left, transform: `translateX(-${left})` }} aria-hidden="true">
      <b>{when}</b>
      {values.map(({ tone, text, value }) => (
        <span key={text}>
          <i className={tone ?? undefined} />
          {text}
          <span>{value}</span>
        </span>
      ))}
    </div>
  )
}

/** Stacked from the bottom up. */
export function Bars({ buckets, top }: { buckets: readonly (readonly (readonly [Tone, number])[])[]; top: number }) {
  return (
    <div className={`bars${buckets.length > 40 ? ' tight' : ''}`}>
      {buckets.map((parts, i) => (
        <i key={i}>
          {parts
            .toReversed()
            .map(
              ([tone, value]) =>
                value > 0 && <b key={tone} className={tone} style={{ height: `${(value / top) * 100}%` }} />,
            )}
        </i>
      ))}
    </div>
  )
}

/** Lines through the middle of their buckets; where nothing was measured they are open. */
export function Lines({
  series,
  top,
}: {
  series: readonly { tone: 'l1' | 'l2'; values: readonly (number | null)[] }[]
  top: number
}) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {series.map(({ tone, values }) => (
        <path key={tone} className={tone} d={linePath(values, top)} />
      ))}
    </svg>
  )
}

/** A lone value is a line of no length, drawn as a dot by its round ends. */
export function linePath(values: readonly (number | null)[], top: number): string {
  const round = (n: number) => Number(n.toFixed(2))
  return values
    .map((value, i) => {
      if (value === null) return ''
      const point = `${round(((i + 0.5) / values.length) * 100)} ${round(100 - (value / top) * 100)}`
      const before = values[i - 1] ?? null
      return before !== null ? `L${point}` : (values[i + 1] ?? null) === null ? `M${point}h1` : `M${point}`
    })
    .join('')
}
