import { useState, useEffect } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { agentFinding } from '../../shared/control/agent-finding.ts'
import type { CrashView } from '../../shared/crash.ts'
import type { DoctorFinding } from '../../shared/doctor.ts'
import type { EngineStatus } from '../../shared/state.ts'

type State =
  | { kind: 'none' }
  | { kind: 'checking' }
  | { kind: 'failed'; why: string }
  | { kind: 'done'; findings: readonly DoctorFinding[] }

/** The findings of `onward doctor`, with a report to copy: facts and findings, no secrets. */
export function Diagnostics() {
  const { actions } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const status = useEngine((state) => state.status)
  const [state, setState] = useState<State>({ kind: 'none' })
  const t = w.settings
  const run = async () => {
    setState({ kind: 'checking' })
    const [findings, agents] = await Promise.all([
      actions.ask((client) => client.doctor.query()),
      actions.ask((client) => client.agents.query()),
    ])
    if (!findings.ok) return setState({ kind: 'failed', why: findings.problem.message })
    if (!agents.ok) return setState({ kind: 'failed', why: agents.problem.message })
    const found = agents.value.map((agent) => agentFinding(w.agents[agent.client], agent))
    setState({ kind: 'done', findings: [...findings.value, ...found] })
  }
  const findings = state.kind === 'done' ? state.findings : null
  return (
    <section aria-label={t.check}>
      <div className="set-row">
        <div>
          <h2>{t.check}</h2>
          <p className="meta">{t.checkHint}</p>
        </div>
        {findings && status && (
          <Button tone="quiet" icon="copy" onClick={() => void actions.copy(report(status, findings), t.reportCopied)}>
            {t.copyReport}
          </Button>
        )}
        <Button busy={state.kind === 'checking'} disabled={!live} onClick={() => void run()}>
          {state.kind === 'checking' ? t.checking : findings ? t.checkAgain : t.checkRun}
        </Button>
      </div>
      {state.kind === 'failed' && <Trouble shape="failed" title={t.checkFailed} text={state.why} />}
      {findings && (
        <div role="status">
          <ul className="vstack">
            {findings
              .map((finding) => ({ ...finding, ...(finding.fact && s.doctor(finding.fact)) }))
              .map((finding) => (
                <li key={finding.check} className="hstack" style={{ alignItems: 'flex-start' }}>
                  <Shape shape={finding.ok ? 'done' : 'failed'} name={finding.ok ? t.fine : t.problem} />
                  <div className="wrap">
                    <p>{finding.say}</p>
                    {finding.mend && <p className="meta">{finding.mend}</p>}
                  </div>
                </li>
              ))}
          </ul>
        </div>
      )}
    </section>
  )
}

/** Plain text for a bug report. Only what names no key, no prompt and no provider credential. */
export function report(status: EngineStatus, findings: readonly DoctorFinding[]): string {
  const facts = [
    `Onward ${status.version}, pid ${status.pid}, ${status.host}:${status.port}`,
    `sessions ${status.counts.sessions}, working ${status.counts.activity}, need ` +
      `a person ${status.counts.needsYou}, terminals ${status.counts.terminals}`,
    `providers ${status.simulator ? 'simulator' : status.providers.map((p) => `${p.id} (${p.type})`).join(', ')}`,
    `config ${status.configProblem === null ? 'in order' : `refused: ${status.configProblem}`}`,
  ]
  return [
    ...facts,
    ...findings.map((f) => `${f.ok ? 'ok  ' : 'FAIL'} ${f.check}: ${f.say}${f.mend ? ` (${f.mend})` : ''}`),
  ].join('\n')
}

/** Says that Onward ended by itself, with the report to copy. Nothing while it did not. */
export function LastCrash() {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [crash, setCrash] = useState<CrashView | null>(null)
  const t = w.settings
  useEffect(() => {
    let wanted = true
    if (live)
      void actions
        .ask((client) => client.lastCrash.query())
        // An engine of before does not know of it.
        .then((answer) => wanted && setCrash(answer.ok ? answer.value : null))
    return () => {
      wanted = false
    }
  }, [actions, live])
  if (crash === null) return null
  const forget = async () => {
    if ((await actions.ask((client) => client.forgetCrashes.mutate())).ok) setCrash(null)
  }
  return (
    <section aria-label={t.crashed}>
      <div className="set-row">
        <div>
          <h2 className="hstack">
            <Shape shape="failed" />
            {t.crashed}
          </h2>
          <p className="meta">{t.crashedHint(f.instant(crash.at))}</p>
        </div>
        <Button icon="copy" onClick={() => void actions.copy(crash.report, t.reportCopied)}>
          {t.copyReport}
        </Button>
        <Button tone="quiet" disabled={!live} onClick={() => void forget()}>
          {t.crashedForget}
        </Button>
      </div>
    </section>
  )
}
