import type { DoctorFinding } from '../../shared/control/contract.ts'
import type { EngineStatus } from '../../shared/state.ts'

/** Plain text for a bug report. Only what names no key, no prompt and no provider credential. */
export function report(status: EngineStatus, findings: readonly DoctorFinding[]): string {
  const facts = [
    `Onward ${status.version}, pid ${status.pid}, ${status.host}:${status.port}`,
    `sessions ${status.counts.sessions}, working ${status.counts.activity}, need a person ${status.counts.needsYou}, terminals ${status.counts.terminals}`,
    `providers ${status.simulator ? 'simulator' : status.providers.map((p) => `${p.id} (${p.type})`).join(', ')}`,
    `config ${status.configProblem === null ? 'in order' : `refused: ${status.configProblem}`}`,
  ]
  return [
    ...facts,
    ...findings.map((f) => `${f.ok ? 'ok  ' : 'FAIL'} ${f.check}: ${f.say}${f.mend ? ` (${f.mend})` : ''}`),
  ].join('\n')
}
