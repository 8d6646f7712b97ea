import { useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Said } from '../parts/said.tsx'
import type { EngineStatus } from '../../shared/state.ts'
import { routeOf } from '../session/review/reviewer-name.ts'
import { More } from './fields/more.tsx'
import { Setting } from './fields/setting.tsx'
import { useSettingView } from './fields/setting-views.tsx'

type Review = NonNullable<EngineStatus['review']>

/** The reviewer that checks whether a goal is reached, its model or command, and its limits. */
export function Reviewer({ review }: { review: Review }) {
  const { w } = useWords()
  const backend = useSettingView('stopMessage.review.backend')?.value ?? review.backend
  const route = routeOf(review)
  const { by, problem } = review
  const t = w.settings
  return (
    <section aria-label={t.reviewer}>
      <h2>{t.reviewer}</h2>
      {by !== '' && (
        <p>
          {route !== null
            ? t.reviewerRoute(route)
            : review.backend === 'model'
              ? t.reviewerModel(by)
              : t.reviewerCommand(by)}
        </p>
      )}
      <p className="tool-note">
        <Shape shape={problem === null ? 'done' : 'needs'} />
        <span>{problem ?? t.reviewerFine}</span>
      </p>
      <p className="meta">
        <Said text={t.reviewerHow} />
      </p>
      <Setting name="stopMessage.review.backend" />
      {backend === 'model' ? (
        <Setting name="stopMessage.review.model" />
      ) : (
        <Setting name="stopMessage.review.command" />
      )}
      <Setting name="stopMessage.review.timeoutSeconds" unit="seconds" />
      <Setting name="stopMessage.review.checkTimeoutSeconds" unit="seconds" />
      <More>
        <Setting name="stopMessage.review.maxSteps" unit="answers" />
        <Setting name="stopMessage.review.context.textChars" unit="characters" />
        <Setting name="stopMessage.review.context.calls" unit="calls" />
        <Setting name="stopMessage.review.context.callChars" unit="characters" />
        <Setting name="stopMessage.review.context.rounds" unit="rounds" />
      </More>
    </section>
  )
}
