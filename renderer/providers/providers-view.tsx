import { useEffect, useMemo, useRef } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
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
import { useTests } from './use-tests.ts'

/** The providers of the running config and how they are; beside them where requests go. */
export function ProvidersView() {
  return (
    <>
      <Providers />
      <RoutingPane />
    </>
  )
}

function Providers() {
  const { ui } = useApp()
  const { w } = useWords()
  const t = w.providers
  const live = useLive()
  const status = useEngine((s) => s.status)
  const providers = useEngine((s) => s.providers)
  const tests = useTests()
  useTestOfAdded(tests)
  const add = () => ui.setState({ dialog: { kind: 'add-provider' } })
  const routingButton = useReturnedFocus()
  return (
    <main className="pane under provs" data-pane-stop>
      <header className="pane-head wide-head">
        <h1>{t.title}</h1>
        <MachineChoice />
        {providers && <span className="meta num">{providers.length}</span>}
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
          disabled={!live || !providers}
          onClick={() => tests.run(providers?.map(({ id }) => id) ?? [])}
        >
          {t.testAll}
        </Button>
        <Button does="addProvider" icon="plus" tone="primary" disabled={!live} onClick={add}>
          {t.add}
        </Button>
      </header>
      <div className="scroll">
        <Rows tests={tests} />
        {status?.simulator && (
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

function Rows({ tests }: { tests: ReturnType<typeof useTests> }) {
  const { loadProviders } = useApp()
  const { w } = useWords()
  const t = w.providers
  const providers = useEngine((s) => s.providers)
  const problem = useEngine((s) => s.providersProblem)
  const sessions = useEngine((s) => s.sessions)
  const waiting = useMemo(() => waitingByProvider(sessions.values()), [sessions])
  if (providers)
    return (
      <ul className="p-list" aria-label={t.title}>
        {providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} waiting={waiting.get(provider.id) ?? []} tests={tests} />
        ))}
      </ul>
    )
  if (problem === null)
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
function useTestOfAdded(tests: ReturnType<typeof useTests>) {
  const { ui } = useApp()
  const added = useUi((s) => (s.providerForm?.added === true && !s.providerForm.tested ? s.providerForm : null))
  const known = useEngine((s) => s.providers?.some(({ id }) => id === added?.id) ?? false)
  useEffect(() => {
    if (added === null || !known) return
    ui.setState({ providerForm: { ...added, tested: true } })
    tests.run([added.id])
  }, [added, known, tests, ui])
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
