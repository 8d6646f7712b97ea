import type { TerminalReading } from '../../types.ts'

/**
 * Shows whether the agent itself came to rest: seen at work since its turn began, or told by its hook, and idle now. A
 * screen that was never seen at work may only be late, and proves nothing.
 */
export interface IdleSign {
  /** a turn with a new user message began: earlier readings no longer count */
  turnBegan(): void
  /** a request began: an agent that had come to rest went on by itself */
  requestBegan(): void
  /** notes a reading that was made while `running` requests were in flight */
  saw(reading: TerminalReading, running: number): void
  /** the agent's hook says that it came to rest; its screen has to agree */
  told(running: number): void
  /** it came to rest */
  given(): boolean
  /** it is at work, and may come to rest any moment */
  expected(): boolean
}

export function createIdleSign(): IdleSign {
  let state: 'unseen' | 'at-work' | 'at-rest' = 'unseen'
  return {
    turnBegan() {
      state = 'unseen'
    },
    requestBegan() {
      if (state === 'at-rest') state = 'unseen'
    },
    saw(reading, running) {
      if (reading.kind === 'hold' && reading.reason.code === 'agent-busy') state = 'at-work'
      else if (reading.kind === 'ready' && running === 0 && state === 'at-work') state = 'at-rest'
    },
    told(running) {
      if (running === 0 && state === 'unseen') state = 'at-work'
    },
    given: () => state === 'at-rest',
    expected: () => state === 'at-work',
  }
}
