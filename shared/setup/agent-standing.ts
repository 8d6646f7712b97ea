/** How the version of an agent on this machine stands to those that Onward was seen working with. */
import type { ClientKind } from '../words.ts'

export type AgentStanding =
  | { kind: 'verified' }
  /** `than`: the newest verified one */
  | { kind: 'newer'; than: string }
  | { kind: 'older'; than: string }
  | { kind: 'untold' }

export interface FoundAgent {
  client: ClientKind
  path: string
  version: string | null
  standing: AgentStanding
}
