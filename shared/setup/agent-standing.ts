/** How the version of an agent on this machine stands to those that Onward was seen working with. */

export type AgentStanding =
  | { kind: 'verified' }
  /** `than`: the newest verified one */
  | { kind: 'newer'; than: string }
  | { kind: 'older'; than: string }
  | { kind: 'untold' }
