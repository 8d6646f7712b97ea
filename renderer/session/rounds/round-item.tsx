import { useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Said } from '../../parts/said.tsx'
import { withStop } from '../../parts/with-stop.ts'
import type { Words } from '../../i18n/index.ts'
import type { RoundView } from '../../../shared/review.ts'
import { ReviewFacts } from '../review/review-facts.tsx'
import { reviewText, verdictOf } from '../review/verdict.ts'
import type { Followup } from '../timeline/followup.ts'
import { Receipt } from '../timeline/receipt.tsx'
import { WhyBox, WhyLink } from '../timeline/why.tsx'

/** One round, read downwards as it happened: the agent, the reviewer, the followup. */
export function RoundItem({ round, receipt }: { round: RoundView; receipt: Followup | undefined }) {
  const words = useWords()
  const { w, s, f } = words
  const t = w.rounds
  const { n, at, did, review, sent, progress } = round
  const why = `round ${n} ${at}`
  const said = review && reviewText(review, s)
  return (
    <article className="card round" aria-label={w.goal.round(n)}>
      <header className="card-head">
        <h2>{w.goal.round(n)}</h2>
        {review && (
          <span className={`strong meta ${verdictOf(review.outcome).tone}`}>{w.review.words[review.outcome.code]}</span>
        )}
        <span className="grow" />
        {progress !== null && (
          <span className={`meta ${progress ? '' : 'needs'}`}>{progress ? t.progress : t.noProgress}</span>
        )}
        <time className="meta" dateTime={new Date(at).toISOString()} title={f.instant(at)}>
          {f.time(at)}
        </time>
      </header>
      <dl className="steps">
        <div>
          <dt>
            <Icon name="model" />
            {t.did}
          </dt>
          <dd>
            <span className="t2">{toolsSaid(round, words)}</span>
            <p className="quote">{did.text === '' ? t.noWords : did.text}</p>
          </dd>
        </div>
        <div>
          <dt>
            <Icon name="reviewer" />
            {t.found}
          </dt>
          <dd>
            {review && said !== null ? (
              <>
                <div className="hstack top">
                  <span className="grow">
                    <Shape shape={verdictOf(review.outcome).shape} /> <Said text={withStop(said)} />{' '}
                    <WhyLink id={why} about={`${w.goal.round(n)}: ${said}`} />
                  </span>
                  <span className="meta num" title={review.by}>
                    {w.review.side(f.took(review.ms), f.cost(review))}
                  </span>
                </div>
                <WhyBox id={why}>
                  <ReviewFacts review={review} />
                </WhyBox>
              </>
            ) : (
              <span className="t3">{t.notReviewed}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>
            <Icon name="type" />
            {t.sent}
          </dt>
          <dd>
            {sent === null ? (
              <span className="t3">{t.nothingSent}</span>
            ) : (
              <>
                <p className="quote">{sent}</p>
                {receipt && receipt.text === sent && <Receipt followup={receipt} />}
              </>
            )}
          </dd>
        </div>
      </dl>
    </article>
  )
}

function toolsSaid({ did }: RoundView, { w, f }: Words): string {
  if (did.calls === 0) return w.rounds.noCalls
  return f.list([
    w.rounds.calls(did.calls),
    ...did.tools.map(({ name, count }) => (count === 1 ? name : `${name} × ${count}`)),
  ])
}
