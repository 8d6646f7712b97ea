/** Facts the first minute asks of the engine: ways to models and agents that are on this machine already. */
import type { ProviderType } from '../config/names.ts'
import type { ProviderTest } from '../routing.ts'

export const accessTools = [
  'env',
  'claude',
  'codex',
  'opencode',
  'gemini',
  'qwen',
  'claude-code-router',
  'cc-switch',
] as const
/** the tool whose file or variable it was found in */
export type AccessTool = (typeof accessTools)[number]

/** How a sign-in or key is used. A key's value never leaves the engine. */
export type AccessUse =
  /** the config names the variable; nothing is copied */
  | { how: 'env'; name: string }
  /** the agent's own login goes through with each of its calls; nothing is kept */
  | { how: 'login' }
  /** the key is copied into Onward's own secrets */
  | { how: 'copy' }
  /** it is there, and only its own tool can use it */
  | { how: 'none'; why: 'own-login' | 'database' }

/** A sign-in or key of this machine. */
export interface FoundAccess {
  id: string
  tool: AccessTool
  /** the file, with `~`, or the name of the variable */
  where: string
  /** whose models it reaches */
  name: string
  baseUrl: string | null
  type: ProviderType | null
  use: AccessUse
  /** what using it writes below `providers` of the config; null: it can't be used */
  writes: string | null
  /** the provider of the config that uses it already */
  added: string | null
}

/** The result of asking a provider for real. */
export interface ProviderTrial {
  test: ProviderTest
  /**
   * the model that the route `default` has now, as `provider.model`; null: that route was there, or nothing answered
   */
  routed: string | null
}

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'gap'
  text: string
}
export interface FileDiff {
  /** with `~` */
  path: string
  /** it does not exist yet */
  fresh: boolean
  /** values of keys are hidden */
  lines: readonly DiffLine[]
}
export type AgentSetup = { client: SetUpClient } & (
  | {
      kind: 'possible'
      files: readonly FileDiff[]
      /** names these very files as they are now */
      fingerprint: string
    }
  /** `changed`: files that were written since, so a person has to undo them */
  | { kind: 'set-up'; files: readonly string[]; backups: readonly string[]; changed: readonly string[] }
  | { kind: 'impossible'; code: SetupObstacle; path: string | null }
)
/** `server-keys`: the config asks every caller for a key, and Onward writes none into an agent's file */
export type SetupObstacle = 'unreadable-file' | 'server-keys' | 'taken-name'

/** Agents whose own settings Onward can point at itself. */
export const setUpClients = ['claude', 'codex', 'opencode', 'gemini', 'qwen'] as const
export type SetUpClient = (typeof setUpClients)[number]
