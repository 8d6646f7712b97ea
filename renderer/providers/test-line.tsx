import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import type { Outcome } from '../control/outcome.ts'
import type { ProviderTest } from '../../shared/routing.ts'

export type TestState = { kind: 'running' } | { kind: 'done'; outcome: Outcome<ProviderTest> }

/** The result of a test: an answer with its times, or why there was none. */
export function TestLine({ test }: { test: TestState }) {
  const { w, f } = useWords()
  const t = w.providers
  if (test.kind === 'running')
    return (
      <span className="hstack t3">
        <Shape shape="held" />
        {t.testingNow}
      </span>
    )
  const { outcome } = test
  if (outcome.ok && outcome.value.kind === 'answered') {
    const { model, key, tookMs, ttfbMs, models } = outcome.value
    const took = f.took(tookMs)
    return (
      <span className="hstack">
        <Icon name="check" />
        <span className="wrap">
          {model === '' ? t.listedOnly(models.length, key, took) : t.answered(model, key, took, f.took(ttfbMs))}
        </span>
      </span>
    )
  }
  const why = outcome.ok ? (outcome.value.kind === 'failed' ? outcome.value.message : '') : outcome.problem.message
  return (
    <span className="hstack">
      <Shape shape="failed" />
      <span className="wrap failed">{t.noAnswer(why)}</span>
    </span>
  )
}
