import { useEffect, useMemo, useRef } from 'react'
import {
  AppContext,
  type App,
  useApp,
  useEngine,
  useLive,
  useOfAll,
  useOfEach,
  useShownApps,
  useUi,
  useWords,
} from '../app-context.ts'
import { LeftOut } from '../machines/left-out.tsx'
import { WhereField } from '../machines/where-field.tsx'
import type { ProviderView } from '../../shared/routing.ts'
import { MachineChoice } from '../machines/machine-choice.tsx'
import { OpenFirstRun } from '../first-run/open-button.tsx'
import { Button } from '../parts/button.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import { Empty } from '../parts/empty.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Trouble } from '../parts/trouble.tsx'
import type { EngineStatus, SessionView } from '../../shared/state.ts'
import { ProviderRow } from './provider-row.tsx'
import { RoutingPane } from './routing-pane.tsx'
import { useTestsAt } from './use-tests.ts'

/** The providers of the running config and how they are; beside them where requests go. */
export function ProvidersView() {
  const app = useApp()
  const all = useOfAll()
  const wanted = useUi((s) => s.routingOf)
  const known = useEngine((s) => s.machines.some(({ name }) => name === wanted))
  const { w } = useWords()
  const routed = all && known && wanted !== null ? app.there(wanted) : app
  const where = all && <WhereField label={w.machines.title} onMachine={(routingOf) => app.ui.setState({ routingOf })} />
  return (
    <>
      <Providers />
      <AppContext value={routed}>
        <RoutingPane key={routed.machine ?? ''} where={where} />
      </AppContext>
    </>
  )
}

function Providers() {
  const app = useApp()
  const { ui } = app
  const { w } = useWords()
  const t = w.providers
  const live = useLive()
  const status = useEngine((s) => s.status)
  const apps = useShownApps()
  const lists = useOfEach(apps, (s) => s.providers)
  const tests = useTestsAt()
  useTestOfAdded(apps, lists, tests)
  const count = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const add = () => ui.setState({ dialog: { kind: 'add-provider' } })
  const routingButton = useReturnedFocus()
  return (
    <main className="pane under provs" data-pane-stop>
      <header className="pane-head wide-head">
        <h1>{t.title}</h1>
        <MachineChoice />
        {count > 0 && <span className="meta num">{count}</span>}
        <span className="grow" />
        <Button
          ref={routingButton}
          tone="quiet"
          className="narrow-only"
          onClick={() => ui.setState({ routingOpen: true })}
        >
          {t.routing}
        </Button>
        <Button
          does="testProvider"
          icon="flask"
          title={t.testHint}
          disabled={!live || count === 0}
          onClick={() => {
            for (const [i, one] of apps.entries())
              if (one.engine.getState().link.kind === 'live') tests(one).run(lists[i]?.map(({ id }) => id) ?? [])
          }}
        >
          {t.testAll}
        </Button>
        <Button does="addProvider" icon="plus" tone="primary" disabled={!live} onClick={add}>
          {t.add}
        </Button>
      </header>
      <div className="scroll">
        <Rows apps={apps} lists={lists} tests={tests} />
        {status?.simulator && apps.length === 1 && (
          <div className="p-first">
            <Empty icon="routes" title={t.emptyTitle} text={t.emptyText}>
              <div className="hstack">
                <Button does="addProvider" icon="plus" tone="primary" disabled={!live} onClick={add}>
                  {t.add}
                </Button>
                <OpenFirstRun />
              </div>
            </Empty>
          </div>
        )}
        {status && <Addresses status={status} />}
      </div>
    </main>
  )
}

interface RowsProps {
  apps: readonly App[]
  /** of each of them; null: not known */
  lists: readonly (readonly ProviderView[] | null)[]
  tests: ReturnType<typeof useTestsAt>
}

function Rows({ apps, lists, tests }: RowsProps) {
  const { loadProviders } = useApp()
  const { w } = useWords()
  const t = w.providers
  const problems = useOfEach(apps, (s) => s.providersProblem)
  const sessions = useOfEach(apps, (s) => s.sessions)
  const byMachine = useUi((s) => s.byMachine)
  const waiting = useMemo(() => sessions.map((known) => waitingByProvider(known.values())), [sessions])
  const [problem] = problems
  if (lists.some(Boolean)) {
    const rows = apps.flatMap((app, i) => (lists[i] ?? []).map((provider) => ({ app, i, provider })))
    // Those of one name beside each other; of one machine as its config has them.
    if (apps.length > 1 && !byMachine) rows.sort((a, b) => a.provider.id.localeCompare(b.provider.id))
    return (
      <>
        <LeftOut apps={apps} answers={apps.map((_, i) => ({ view: lists[i], problem: problems[i] }))} />
        <ul className="p-list" aria-label={t.title}>
          {rows.map(({ app, i, provider }) => (
            <AppContext key={`${app.machine ?? ''}/${provider.id}`} value={app}>
              <ProviderRow provider={provider} waiting={waiting[i]?.get(provider.id) ?? []} tests={tests(app)} />
            </AppContext>
          ))}
        </ul>
      </>
    )
  }
  if (!problem)
    return (
      <SkeletonRows
        label={t.loading}
        rows={[
          ['30%', '50%'],
          ['24%', '44%'],
          ['28%', '38%'],
        ]}
      />
    )
  return (
    <div className="p-problem">
      <Trouble shape="failed" title={t.failed} text={problem}>
        <div className="hstack">
          <Button onClick={() => void loadProviders()}>{w.say.retry}</Button>
        </div>
      </Trouble>
    </div>
  )
}

/** Sessions whose last turn ended at a provider's limit. */
function waitingByProvider(sessions: Iterable<SessionView>): ReadonlyMap<string, readonly SessionView[]> {
  const waiting = new Map<string, SessionView[]>()
  for (const session of sessions) {
    if (session.limit === undefined) continue
    const there = waiting.get(session.limit.provider)
    if (there) there.push(session)
    else waiting.set(session.limit.provider, [session])
  }
  return waiting
}

/** The addresses that agents and editors need, at the end of the list. */
function Addresses({ status }: { status: EngineStatus }) {
  const { w } = useWords()
  const t = w.providers
  return (
    <dl className="kv p-facts">
      <div>
        <dt>{t.baseUrl}</dt>
        <dd>
          <CopyLine text={`http://${status.host}:${status.port}`} />
        </dd>
      </div>
      <div>
        <dt />
        <dd className="meta">{t.baseUrlHint}</dd>
      </div>
      <div>
        <dt>{t.config}</dt>
        <dd>
          <CopyLine text={status.configPath} />
        </dd>
      </div>
      <div>
        <dt />
        <dd className="meta">{t.configHint}</dd>
      </div>
    </dl>
  )
}

/** Tests a provider that was added just now at once. */
function useTestOfAdded(apps: RowsProps['apps'], lists: RowsProps['lists'], tests: RowsProps['tests']) {
  const { ui } = useApp()
  const added = useUi((s) => (s.providerForm?.added === true && !s.providerForm.tested ? s.providerForm : null))
  const at = apps.findIndex(({ machine }) => machine === added?.machine)
  const known = lists[at]?.some(({ id }) => id === added?.id) ?? false
  useEffect(() => {
    const app = apps[at]
    if (added === null || !known || !app) return
    ui.setState({ providerForm: { ...added, tested: true } })
    tests(app).run([added.id])
  }, [added, known, apps, at, tests, ui])
}

/** The keyboard comes back to the button that opened Routing. */
function useReturnedFocus() {
  const open = useUi((s) => s.routingOpen)
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(open)
  useEffect(() => {
    if (was.current && !open) button.current?.focus()
    was.current = open
  }, [open])
  return button
}
