import type { KeptAnswer } from '../protocol/canonical/index.ts'
import type { Document } from '../store/types.ts'
import type { KeptThinkingFile } from './thinking/kept-thinking-file.ts'

/** Finds the conversation on the disk that a new one was forked from, by the calls in its history. */
export interface KeptForks {
  /** true once for each conversation: a failed search is not repeated */
  isNew(conversation: string): boolean
  add(conversation: string, answers: readonly KeptAnswer[]): void
  /** the conversation that has most of these calls */
  bestOf(ids: readonly string[]): Promise<string | null>
}

const mostLookedUp = 1_000

export const callIdsOf = ({ pieces }: KeptAnswer): string[] =>
  pieces.flatMap((piece) => (piece.type === 'call' ? [piece.id] : []))

/** `onDisk` is read once, at the first search. */
export function keptForks(onDisk: () => Promise<readonly Document<KeptThinkingFile>[]>): KeptForks {
  const lookedUp = new Set<string>()
  /** conversations by the ids of their calls */
  const calls = new Map<string, Set<string>>()
  let reading: Promise<void> | null = null

  function add(conversation: string, answers: readonly KeptAnswer[]): void {
    for (const id of answers.flatMap(callIdsOf)) calls.set(id, (calls.get(id) ?? new Set()).add(conversation))
  }

  async function read(): Promise<void> {
    for (const document of await onDisk()) {
      const file = document.get()
      if (file) add(file.conversation, file.answers)
    }
  }

  return {
    isNew(conversation) {
      if (lookedUp.has(conversation)) return false
      lookedUp.add(conversation)
      const [oldest] = lookedUp
      if (lookedUp.size > mostLookedUp && oldest !== undefined) lookedUp.delete(oldest)
      return true
    },
    add(conversation, answers) {
      if (reading) add(conversation, answers)
    },
    async bestOf(ids) {
      await (reading ??= read())
      const counts = new Map<string, number>()
      for (const id of new Set(ids)) for (const one of calls.get(id) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1)
      let best: { conversation: string | null; count: number } = { conversation: null, count: 0 }
      for (const [conversation, count] of counts) if (count > best.count) best = { conversation, count }
      return best.conversation
    },
  }
}
