import { useEngine, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Trouble } from '../parts/trouble.tsx'
import type { EngineStatus } from '../../shared/state.ts'

/** The providers of the running config, and where that config is edited. */
export function ProvidersView() {
  const { w } = useWords()
  const status = useEngine((s) => s.status)
  const address = status ? `http://${status.host}:${status.port}` : ''
  return (
    <main className="pane" data-pane-stop>
      <header className="pane-head wide-head"><h1>{w.providers.title}</h1>{status && !status.simulator && <span className="meta num">{status.providers.length}</span>}</header>
      <div className="scroll">
        {!status ? <SkeletonRows label={w.providers.title} rows={[['30%', '50%'], ['24%', '44%']]} /> : (
          <>
            {status.configProblem && <div className="p-row" style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}><Trouble shape="failed" title={w.banner.config} text={w.banner.configText(status.configProblem)} /></div>}
            {status.providers.map((provider) => <ProviderRow key={provider.id} provider={provider} />)}
            {status.simulator && <div className="pad"><p><b>{w.providers.emptyTitle}.</b> <span className="t2">{w.providers.emptyText}</span></p></div>}
            <dl className="kv" style={{ maxWidth: 'none' }}>
              <div><dt>{w.providers.config}</dt><dd><CopyLine text={status.configPath} /></dd></div>
              <div><dt /><dd className="meta">{w.providers.configHint}</dd></div>
              <div><dt>{w.providers.baseUrl}</dt><dd><CopyLine text={address} /></dd></div>
              <div><dt /><dd className="meta">{w.providers.baseUrlHint}</dd></div>
            </dl>
          </>
        )}
      </div>
    </main>
  )
}

function ProviderRow({ provider }: { provider: EngineStatus['providers'][number] }) {
  const { w } = useWords()
  const simulator = provider.type === 'simulator'
  const types: Record<string, string> = w.providers.types
  const host = provider.baseUrl?.replace(/^https?:\/\//, '') ?? w.providers.simulator
  return (
    <div className="p-row">
      <Icon name="routes" />
      <div style={{ minWidth: 0 }}><div className="p-l1"><b className="cut">{provider.id}</b><span className="meta cut">{types[provider.type] ?? provider.type}, {host}</span></div><div className="meta cut">{simulator ? w.providers.simulatorText : w.providers.models(provider.models)}</div></div>
      <span className="p-num num"><span className="meta">{w.providers.keys(provider.keys)}</span></span>
    </div>
  )
}
