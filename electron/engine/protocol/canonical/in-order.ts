import type { AnswerEvent, Emit } from './answer.ts'
import { jsonEnd } from './json-end.ts'

/**
 * For clients that read one block after the other: of blocks that are open at once, the first goes out as it comes, the
 * others wait. A call whose arguments are whole JSON is over as soon as another block begins, though its provider has
 * not said so: else parallel calls would all wait for the end of the answer.
 */
export function inOrder(emit: Emit): Emit {
  /** events of blocks that wait, in the order the blocks began */
  const waiting = new Map<number, AnswerEvent[]>()
  let current: { block: number; args: ReturnType<typeof jsonEnd> | null } | null = null
  const over = new Set<number>()

  const show = (event: AnswerEvent) => {
    if (event.type === 'begin')
      current = { block: event.block, args: event.part.kind === 'tool-call' && !event.part.custom ? jsonEnd() : null }
    if (event.type === 'delta') current?.args?.push(event.text)
    if (event.type === 'end') current = null
    emit(event)
  }
  /** Emits the waiting blocks whose turn it is: whole ones at once, up to the first that is still open. */
  const next = () => {
    while (current === null) {
      const first = waiting.entries().next()
      if (first.done) return
      const [block, events] = first.value
      waiting.delete(block)
      for (const event of events) show(event)
    }
  }
  const closeWhole = () => {
    if (!current?.args?.whole()) return
    over.add(current.block)
    show({ type: 'end', block: current.block })
    next()
  }

  return (event) => {
    switch (event.type) {
      case 'begin':
        closeWhole()
        if (current === null) return show(event)
        waiting.set(event.block, [event])
        return
      // For a block that is over it goes out at once: some sources are named last.
      case 'citation': {
        const held = current?.block === event.block ? undefined : waiting.get(event.block)
        if (held) held.push(event)
        else emit(event)
        return
      }
      case 'delta':
      case 'seal':
      case 'end':
        if (over.has(event.block)) return
        if (current?.block !== event.block) return void waiting.get(event.block)?.push(event)
        show(event)
        if (event.type === 'end') next()
        else if (waiting.size > 0) closeWhole()
        return
      case 'start':
        return emit(event)
      case 'finish':
      case 'error':
        if (event.type === 'finish') endAll()
        return emit(event)
    }
  }

  function endAll(): void {
    while (current !== null) {
      show({ type: 'end', block: current.block })
      next()
    }
  }
}
