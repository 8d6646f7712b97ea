import type { ReviewerAnswer, ReviewerMessage } from './ask-model.ts'
import type { Fence } from './fence.ts'
import { isInspectionTool } from './inspection-input.ts'
import type { InspectionTools } from './inspection-tools.ts'
import type { TimeLimit } from './time-limit.ts'

/** A model that asks for more at once is not thinking. */
const mostAtOnce = 20

/** The conversation with a reviewing model, as far as it has come. */
export interface Talk {
  readonly messages: readonly ReviewerMessage[]
  /** Adds words at the end of the model's next input: some models accept no user message after results. */
  add(words: string): void
  /** Carries out the model's calls, and gives it the results. */
  carryOut(
    answer: ReviewerAnswer,
    inspections: InspectionTools | null,
    time: TimeLimit,
    stop: AbortSignal,
  ): Promise<void>
  /** Answers a verdict that is not accepted. */
  object(answer: ReviewerAnswer, words: string): void
}

export function createTalk(instructions: string, context: string, fence: Fence): Talk {
  const messages: ReviewerMessage[] = [
    { role: 'system', text: instructions },
    { role: 'user', text: context },
  ]
  const add = (words: string) => {
    const last = messages.at(-1)
    if (last && last.role !== 'model') messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${words}` }
    else messages.push({ role: 'user', text: words })
  }
  const answerCall = (callId: string, text: string) => {
    messages.push({ role: 'tool', callId, text })
  }
  return {
    messages,
    add,
    async carryOut({ calls, raw }, inspections, time, stop) {
      messages.push({ role: 'model', raw })
      for (const [i, { id, name, arguments: json }] of calls.entries()) {
        if (name === 'verdict')
          answerCall(
            id,
            'Not taken: you have not seen the results of your other calls. Read them, and call `verdict` again, alone.',
          )
        else if (!inspections || !isInspectionTool(name)) answerCall(id, `There is no tool “${name}”.`)
        else if (i >= mostAtOnce) answerCall(id, `Not done: at most ${mostAtOnce} calls at once.`)
        else {
          const take = (signal: AbortSignal) => inspections.take(name, json, { signal, stop })
          // A check has its own time; the reviewer's is for the reviewer.
          const taken = await (name === 'run_check' ? take(stop) : time.spend(take))
          answerCall(id, taken.kind === 'bad' ? taken.text : fence.wrap(`result of ${name}`, taken.text))
        }
        stop.throwIfAborted()
      }
    },
    object({ calls, raw, text }, words) {
      if (calls.length === 0 && text.trim() === '') return add(words)
      messages.push({ role: 'model', raw })
      for (const { id, name } of calls) answerCall(id, name === 'verdict' ? words : 'Not done.')
      if (calls.length === 0) add(words)
    },
  }
}
