import { budgetSettings, type PoliciesView, type Policy } from '../../shared/policy/policy.ts'
import { useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import { budgetText } from './parse-budget.ts'

/** The rules that an organisation set for this machine, and what of the config they hold. */
export function Organisation({ policy: { policies, bounded, trouble } }: { policy: PoliciesView }) {
  const { w, s } = useWords()
  const t = w.policy
  return (
    <section aria-label={t.title}>
      <h2>{t.title}</h2>
      {trouble && (
        <p className="tool-note" role="alert">
          <Shape shape="failed" name={t.broken} />
          <span>{s.policyTrouble(trouble)}</span>
        </p>
      )}
      {policies.map((policy) => (
        <Rules key={policy.source} policy={policy} />
      ))}
      {bounded.length > 0 && (
        <>
          <h3>{t.bounded}</h3>
          <ul className="held-list">
            {bounded.map(({ path, fault }) => (
              <li key={path}>
                <code className="mono">{path}</code>
                <span className="meta">
                  {s.configProblem({ ...fault, line: 0, column: 0, path, message: fault.code })}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Rules({ policy }: { policy: Policy }) {
  const { w, f } = useWords()
  const t = w.policy
  const { organisation, contact, source, providers, budgets, servertools, telemetry, phone, fleets } = policy
  const bounds = budgetSettings.flatMap((name) => {
    const most = budgets[name]
    return most === undefined ? [] : [t.budget[name](budgetText(most))]
  })
  const off = [...(telemetry ? [] : [t.telemetry]), ...(phone ? [] : [t.phones])]
  return (
    <>
      <p className="meta">{organisation === null ? t.byNobody : t.by(organisation)}</p>
      {contact !== null && <p className="meta">{t.ask(contact)}</p>}
      <dl className="kv">
        <div>
          <dt>{t.source}</dt>
          <dd>
            <CopyLine text={source} />
          </dd>
        </div>
        {providers !== null && (
          <div>
            <dt>{t.providers}</dt>
            <dd className="wrap">
              {providers.length === 0 && t.onlySimulator}
              <ul className="held-list">
                {providers.map(({ address, models }) => (
                  <li key={address}>
                    <span className="mono">{address}</span>
                    <span className="meta">{models === null ? t.anyModel : f.list(models)}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        {bounds.length > 0 && (
          <div>
            <dt>{t.budgets}</dt>
            <dd className="wrap">{f.list(bounds)}</dd>
          </div>
        )}
        {servertools !== null && (
          <div>
            <dt>{t.tools}</dt>
            <dd className="wrap">{servertools.length === 0 ? t.noTool : f.list(servertools)}</dd>
          </div>
        )}
        {fleets !== null && (
          <div>
            <dt>{t.fleets}</dt>
            <dd className="wrap">
              {fleets.length === 0
                ? t.noFleet
                : f.list(fleets.map(({ url, name }) => (name === null ? url : `${name} (${url})`)))}
            </dd>
          </div>
        )}
        {off.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{t.off}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
