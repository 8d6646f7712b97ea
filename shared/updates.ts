/** New versions of the program, as the desktop app finds and installs them. */

/** How this program came here, which says how a newer one does. */
export const installKinds = ['appimage', 'deb', 'rpm', 'mac', 'windows', 'npm', 'repository', 'folder'] as const
export type InstallKind = (typeof installKinds)[number]

/** Why there is no new version here. `detail`: the system's or the server's own words, where they help. */
export const updateTroubles = [
  'offline',
  'server',
  'no-version',
  'feed',
  'insecure',
  'broken',
  'signature',
  'disk',
  'other',
] as const
export type UpdateTrouble = (typeof updateTroubles)[number]

export interface NewVersion {
  version: string
  /** plain text; empty: the publisher says nothing */
  notes: string
}

export type UpdateState =
  /** no check was made yet */
  | { kind: 'idle' }
  /** this package is replaced from outside; how, `onward update` says as well */
  | { kind: 'by-hand'; how: InstallKind }
  | { kind: 'checking' }
  /** epoch milliseconds */
  | { kind: 'current'; at: number }
  | ({ kind: 'available' } & NewVersion)
  | ({ kind: 'downloading'; percent: number } & NewVersion)
  /**
   * The person's choice: `atQuit`, it may be installed when the app quits; `whenIdle`, as well by itself, once no agent
   * has been at work for a while.
   */
  | ({ kind: 'ready'; atQuit: boolean; whenIdle: boolean } & NewVersion)
  /** `found`: the version that could not be had; null: none was found */
  | { kind: 'failed'; why: UpdateTrouble; detail: string; found: NewVersion | null }

export const updateRequests = ['check', 'download', 'restart', 'at-quit', 'not-at-quit', 'not-when-idle'] as const
export type UpdateRequest = (typeof updateRequests)[number]
