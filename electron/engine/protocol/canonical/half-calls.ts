import type { AnswerEvent, AnswerFinish, Emit } from './answer.ts'
import { jsonEnd } from './json-end.ts'

/**
 * A call whose arguments end in the middle is never over for the client while its answer goes on, and the answer ends in
 * an error where the provider claims that it ended properly: a client runs what looks whole. Where a limit cut the
 * answer off, half a call is to be expected and goes out as the vendors send it, with the finish that says so
 * (platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming: what to do at `max_tokens` is the
 * client's to decide).
 */
export function refuseHalfCalls(emit: Emit): Emit {
  const open = new Map<number, ReturnType<typeof jsonEnd>>()
  /** ends of calls that were cut off */
  const held: AnswerEvent[] = []

  return (event) => {
    switch (event.type) {
      case 'begin':
        if (event.part.kind === 'tool-call' && !event.part.custom) open.set(event.block, jsonEnd())
        return emit(event)
      case 'delta':
        open.get(event.block)?.push(event.text)
        return emit(event)
      case 'end':
        if (open.get(event.block)?.cut) return void held.push(event)
        open.delete(event.block)
        return emit(event)
      case 'finish': {
        const cut = [...open.values()].some((call) => call.cut)
        if (cut && claimsWhole.has(event.reason))
          return emit({
            type: 'error',
            code: 'upstream-half-call',
            message: 'The provider ended its answer in the middle of a tool call.',
          })
        for (const end of held) emit(end)
        return emit(event)
      }
      default:
        return emit(event)
    }
  }
}

const claimsWhole: ReadonlySet<AnswerFinish> = new Set(['stop', 'stop-sequence', 'tool-calls'])
