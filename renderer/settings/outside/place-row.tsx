import { startTransition, useOptimistic } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Switch } from '../../parts/switch.tsx'
import { inConfig, type OutsideTest, type OutsideView } from '../../../shared/notifications.ts'
import type { Outcome } from '../../control/outcome.ts'
import { switched, services } from './place-form.ts'

export type PlaceTest = { kind: 'running' } | { kind: 'done'; outcome: Outcome<OutsideTest> }

/** One place: whether it is on, how it went last, and what a test shows. */
export function PlaceRow({
  place,
  test,
  onTest,
  onEdit,
}: {
  place: OutsideView
  test: PlaceTest | undefined
  onTest: () => void
  /** null: it is a device, which switches it on by itself */
  onEdit: (() => void) | null
}) {
  const { actions } = useApp()
  const { w, s, f } = useWords()
  const live = useLive()
  const [on, show] = useOptimistic(place.on)
  const t = w.outside
  const { name, state } = place
  const failing = on && (state.kind === 'failed' || state.kind === 'retrying')
  const facts = [
    services[place.kind].name,
    place.host ?? t.noHost,
    ...(place.classes === null ? [] : [t.classes(place.classes.length)]),
    ...(place.texts ? [t.withTexts] : []),
  ]
  return (
    <li className="outside-place" aria-label={name}>
      <div className="hstack">
        {inConfig(place) ? (
          <Switch
            checked={on}
            disabled={!live}
            onChange={(next) =>
              startTransition(async () => {
                show(next)
                await actions.saveOutside(switched(place, next))
              })
            }
          >
            <b className="cut" title={t.onOff(name)}>
              {name}
            </b>
          </Switch>
        ) : (
          <b className="cut">{name}</b>
        )}
        <span className="meta cut">{f.list(facts)}</span>
        <span className="grow" />
        <Button small disabled={!live} busy={test?.kind === 'running'} aria-label={t.testOf(name)} onClick={onTest}>
          {t.test}
        </Button>
        {onEdit && (
          <>
            <IconButton icon="edit" small name={t.edit(name)} disabled={!live} onClick={onEdit} />
            <IconButton
              icon="x"
              small
              name={t.remove(name)}
              disabled={!live}
              onClick={() => void actions.removeOutside(name)}
            />
          </>
        )}
      </div>
      <p className={`tool-note${failing ? ' failed' : ''}`}>
        <Shape shape={failing ? 'failed' : on && state.kind === 'sent' ? 'done' : 'idle'} />
        <span>{on ? s.outside.state(state) : t.off}</span>
      </p>
      {test && <TestResult test={test} />}
    </li>
  )
}

function TestResult({ test }: { test: PlaceTest }) {
  const { w, s, f } = useWords()
  const t = w.outside
  if (test.kind === 'running')
    return (
      <p className="tool-note" role="status">
        <Shape shape="held" />
        <span>{t.testing}</span>
      </p>
    )
  const { outcome } = test
  if (outcome.ok && outcome.value.ok)
    return (
      <p className="tool-note" role="status">
        <Icon name="check" />
        <span>{t.taken(f.took(outcome.value.tookMs))}</span>
      </p>
    )
  const why = outcome.ok ? (outcome.value.ok ? '' : s.outside.failure(outcome.value.why)) : outcome.problem.message
  return (
    <p className="tool-note failed" role="status">
      <Shape shape="failed" />
      <span>{why}</span>
    </p>
  )
}
