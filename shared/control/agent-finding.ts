import type { DoctorFinding, FoundAgent } from './contract.ts'

/** How the version of an agent on this machine stands to those that Onward was seen working with. */
export type AgentStanding =
  | { kind: 'verified' }
  /** `than`: the newest verified one */
  | { kind: 'newer'; than: string }
  | { kind: 'older'; than: string }
  | { kind: 'untold' }

/** What the doctor says of an agent it found. Nothing here is wrong: another version may work as well. */
export function agentFinding(title: string, { client, path, version, standing }: FoundAgent): DoctorFinding {
  const what = version === null ? title : `${title} ${version}`
  return { check: `agent ${client}`, ok: true, say: `${what} at ${path}: ${sayStanding(standing)}`, mend: null }
}

function sayStanding(standing: AgentStanding): string {
  switch (standing.kind) {
    case 'verified':
      return 'verified.'
    case 'newer':
      return (
        `newer than verified (${standing.than}). Its screens may have changed: ` +
        'where nothing is typed into it, `onward terminals screen` reports one.'
      )
    case 'older':
      return `older than verified (${standing.than}).`
    case 'untold':
      return 'it does not tell its version.'
  }
}
