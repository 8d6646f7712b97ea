import type { EngineUpdate, FollowedSubject } from '../../../../shared/state.ts'

/**
 * The updates one viewer has still to read. A newer state of the same session, terminal or engine replaces the older
 * one in place, so a slow viewer gets the newest picture and never a growing queue; events and turns keep their order
 * and are bounded (the timeline and the records can be asked for what was dropped).
 */
export interface UpdateQueue {
  push(update: EngineUpdate): void
  /** everything waiting, oldest first */
  take(): EngineUpdate[]
  readonly size: number
}

const MOST_EVENTS = 2_000

/** @param subject takes no others */
export function updateQueue(onFilled: () => void, subject?: FollowedSubject): UpdateQueue {
  let byKey = new Map<string, EngineUpdate>()
  let events = 0
  let serial = 0
  return {
    get size() {
      return byKey.size
    },
    push(update) {
      if (subject !== undefined && update.type !== subject) return
      const key = keyOf(update)
      if (key === null) {
        if (events >= MOST_EVENTS) return
        events++
      }
      const wasEmpty = byKey.size === 0
      byKey.set(key ?? `event:${serial++}`, update)
      if (wasEmpty) onFilled()
    },
    take() {
      const all = Array.from(byKey.values())
      byKey = new Map()
      events = 0
      return all
    },
  }
}

/** null: nothing newer stands for it. */
function keyOf(update: EngineUpdate): string | null {
  switch (update.type) {
    case 'snapshot':
      return 'snapshot'
    case 'status':
      return 'status'
    case 'session':
      return `session:${update.session.id}`
    case 'session-removed':
      return `session:${update.id}`
    case 'terminal':
      return `terminal:${update.terminal.id}`
    case 'terminal-removed':
      return `terminal:${update.id}`
    case 'machine':
      return `machine:${update.machine.name}`
    case 'machine-removed':
      return `machine:${update.machine}`
    case 'machine-session':
      return `machine-session:${update.machine}:${update.session.id}`
    case 'machine-session-removed':
      return `machine-session:${update.machine}:${update.id}`
    case 'providers':
      return 'providers'
    case 'alarms':
      return 'alarms'
    case 'devices':
    case 'rights':
    case 'windows-signed-out':
      return update.type
    case 'event':
    case 'turn':
    case 'notice':
      return null
  }
}
