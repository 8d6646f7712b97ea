import { isOpen, type OwnDrive } from '../../../../shared/drives.ts'
import { kept } from '../../sessions/drives/reduce.ts'
import type { SessionStore } from '../../sessions/session-store.ts'

export type Drives = readonly OwnDrive[]

/** What the agents of sessions set themselves, as it is kept with the sessions. */
export interface KeptDrives {
  of(sessionId: string): Drives
  change(sessionId: string, next: (drives: Drives) => Drives): void
}

/** @param onChange after the session has it */
export const keptDrives = (sessions: Pick<SessionStore, 'get' | 'note'>, onChange: () => void): KeptDrives => ({
  of: (sessionId) => sessions.get(sessionId)?.drives ?? [],
  change(sessionId, next) {
    const before = sessions.get(sessionId)?.drives
    if (!before) return
    const drives = kept(next(before))
    if (drives.length === before.length && drives.every((drive, i) => drive === before[i])) return
    sessions.note(sessionId, (facts) => ({ drives, driven: drives.some(isOpen) ? facts.driven : null }))
    onChange()
  },
})
