import { useEffect, useState } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import type { InstallPlan, InstallStep } from '../../shared/machines.ts'
import type { Problem } from '../control/problem.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { CopyLine } from '../parts/copy-line.tsx'

type State =
  | { kind: 'looking' }
  | { kind: 'shown'; plan: InstallPlan }
  | { kind: 'at'; step: InstallStep }
  | { kind: 'failed'; problem: Problem }

/** Shows all that an installation over ssh does on a machine; does it with a yes. Closed meanwhile, it is undone. */
export function InstallThere({
  machine,
  onClose,
  onDone,
}: {
  machine: string
  onClose: () => void
  onDone: () => void
}) {
  // this engine goes there
  const { actions } = useApp().here
  const { w } = useWords()
  const t = w.machines
  const [state, setState] = useState<State>({ kind: 'looking' })
  const [agreed, setAgreed] = useState<string | null>(null)
  useEffect(() => {
    void actions
      .ask((c) => c.planInstall.query(machine))
      .then((outcome) =>
        setState(outcome.ok ? { kind: 'shown', plan: outcome.value } : { kind: 'failed', problem: outcome.problem }),
      )
  }, [actions, machine])
  useEffect(() => {
    if (agreed === null) return
    return actions.installThere(
      { machine, fingerprint: agreed },
      (step) => {
        if (step.kind === 'done') onDone()
        else setState({ kind: 'at', step })
      },
      (problem) => problem && setState({ kind: 'failed', problem }),
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another `onDone` does not begin it anew
  }, [actions, machine, agreed])
  return (
    <section className="install-there" aria-label={t.installOn(machine)}>
      {state.kind === 'shown' ? (
        <Plan plan={state.plan} onYes={() => setAgreed(state.plan.fingerprint)} onNo={onClose} />
      ) : state.kind === 'failed' ? (
        <p className="tool-note failed" role="alert">
          <Shape shape="failed" />
          <span>{state.problem.message}</span>
        </p>
      ) : (
        <p className="tool-note" role="status">
          <Shape shape="held" />
          <span>{state.kind === 'looking' ? t.installing.looking : progress(state.step, t.installing)}</span>
        </p>
      )}
    </section>
  )
}

type Words = ReturnType<typeof useWords>['w']['machines']['installing']
const progress = (step: InstallStep, t: Words): string =>
  step.kind === 'sending'
    ? t.sending(Math.floor((100 * step.sent) / step.of))
    : step.kind === 'checking'
      ? t.checking
      : t.starting

function Plan({ plan, onYes, onNo }: { plan: InstallPlan; onYes: () => void; onNo: () => void }) {
  const { w, f } = useWords()
  const live = useLive()
  const t = w.machines.plan
  const facts = [
    [t.folder, plan.folder],
    [t.command, plan.command],
    [t.node, `${plan.node.path} (${plan.node.version})`],
    ...(plan.fetches.length > 0 ? [[t.fetches, plan.fetches.join(', ')] as const] : []),
  ] as const
  return (
    <>
      <p>
        {t.gets(plan.version, f.bytes(plan.bytes))} {t.rootless}
      </p>
      <dl className="kv">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono wrap">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="meta">{t.undo}</p>
      <CopyLine text={plan.undo} />
      <details className="meta">
        <summary>{t.runs}</summary>
        <pre className="mono writes" tabIndex={0}>
          {plan.runs.join('\n')}
        </pre>
      </details>
      <div className="hstack wrap">
        <Button small tone="primary" does="installThere" disabled={!live} onClick={onYes}>
          {t.install}
        </Button>
        <Button small onClick={onNo}>
          {t.notNow}
        </Button>
      </div>
    </>
  )
}
