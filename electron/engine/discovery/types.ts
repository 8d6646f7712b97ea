import type { ProviderType } from '../../../shared/config/schema.ts'
import type { AccessTool } from '../../../shared/setup/first-run.ts'

/** The inputs of discovery. Everything comes in from outside, so a test is a folder in memory. */
export interface DiscoveryContext {
  env: Readonly<Record<string, string | undefined>>
  /** the person's home folder, absolute */
  home: string
  /** null: no such file, or it can't be read */
  read(path: string): Promise<string | null>
  /** Onward's own address: an agent that was pointed at it has no provider there */
  isOwn(baseUrl: string): boolean
}

/** The vendor whose models they are, and how a call to them is signed. */
export interface Vendor {
  /** the provider id that it gets */
  id: string
  name: string
  type: Exclude<ProviderType, 'simulator'>
  baseUrl: string
  /** where that is not the usual way of the type */
  header: 'bearer' | null
}

export type Credential =
  | { kind: 'env'; name: string; value: string }
  | { kind: 'key'; value: string }
  /** goes through with the agent's calls */
  | { kind: 'login' }
  | { kind: 'none'; why: 'own-login' | 'database' }

/** Found on this machine. Holds the value of a key, so it stays within the engine. */
export interface Found {
  tool: AccessTool
  /** absolute path of the file, or the name of the variable */
  where: string
  vendor: Vendor | null
  /** where there is no vendor */
  name?: string
  models: readonly string[]
  credential: Credential
}

export type Source = (at: DiscoveryContext) => Promise<readonly Found[]>
