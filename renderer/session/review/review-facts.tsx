import { useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Said } from '../../parts/said.tsx'
import type { ReviewView } from '../../../shared/review.ts'
import { commandText } from '../checks/words.ts'
import { evidenceLine, inspectionLine, type FoundLine } from './found-line.ts'

/** All parts of a review: blockers, evidence, checks Onward ran for it, and the files it looked at. */
export function ReviewFacts({ review }: { review: ReviewView }) {
  const words = useWords()
  const { w, f } = words
  const t = w.review
  const { evidence, blockers, looks, checks } = review
  return (
    <div className="facts-of">
      {blockers.length > 0 && (
        <Part name={t.blockers}>
          {blockers.map(({ kind, text }, i) => (
            <li key={i}>
              <Shape shape="needs" />
              <span>
                <b>{t.blocker[kind]}</b> <Said text={text} />
              </span>
            </li>
          ))}
        </Part>
      )}
      {evidence.length > 0 && (
        <Part name={t.evidence}>
          {evidence.map((one, i) => (
            <Line key={i} line={evidenceLine(one, i)} after={one.source} />
          ))}
        </Part>
      )}
      {checks.length > 0 && (
        <Part name={t.checks}>
          {checks.map((run) => (
            <li key={run.name}>
              <Shape shape={run.outcome === 'passed' ? 'done' : 'failed'} />
              <span className="grow">
                <code title={run.name}>{commandText(run.argv)}</code> {run.say || words.s.checkOutcome(run.outcome)}
              </span>
              <span className="num t3">{f.took(run.ms)}</span>
            </li>
          ))}
        </Part>
      )}
      {looks.length > 0 && (
        <Part name={t.looks}>
          {looks.map((look, i) => (
            <Line key={i} line={inspectionLine(look, i, words)} />
          ))}
        </Part>
      )}
    </div>
  )
}

const Part = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <section aria-label={name}>
    <p className="meta">{name}</p>
    <ol className="one">{children}</ol>
  </section>
)

const Line = ({ line: { text, ok }, after }: { line: FoundLine; after?: string }) => (
  <li>
    <Icon name={ok ? 'check' : 'x'} off={!ok} />
    <span className="grow">
      <Said text={text} />
    </span>
    {after && (
      <span className="t3 mono source" title={after}>
        {after}
      </span>
    )}
  </li>
)
