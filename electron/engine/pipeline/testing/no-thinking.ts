import type { KeptThinking } from '../kept-thinking.ts'

/** For tests that are not about thinking: none is kept. */
export const noThinking: KeptThinking = {
  load: async () => undefined,
  open: () => null,
  of: () => ({ answers: [], forgotten: false }),
  add: () => undefined,
  sent: () => undefined,
  forget: async () => undefined,
  flush: async () => undefined,
}
