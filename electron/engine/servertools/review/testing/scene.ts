import { configSchema, type ConfigInput } from '../../../../../shared/config/schema.ts'
import type { CheckView, Evidence, Verdict } from '../../../../../shared/review.ts'
import { silentLog } from '../../../base/log.ts'
import { systemRandom } from '../../../base/ids.ts'
import { virtualClock, type VirtualClock } from '../../../base/testing/virtual-clock.ts'
import { createStore } from '../../../store/create-store.ts'
import { memoryFiles } from '../../../store/testing/memory-files.ts'
import { createChecks } from '../../../workspace/checks/create-checks.ts'
import { realFolder } from '../../../workspace/testing/real-folder.ts'
import type { AskReviewer, ReviewerAnswer, ReviewerQuestion } from '../ask-model.ts'
import { createReview } from '../create-review.ts'
import type { ReviewAsk } from '../types.ts'

/** A scripted model's answer to a question. */
export type Says =
  | Partial<ReviewerAnswer>
  | Error
  | ((question: ReviewerQuestion) => Partial<ReviewerAnswer> | Promise<Partial<ReviewerAnswer>>)

let ids = 0
export const call = (name: string, input: unknown) => ({
  id: `c${++ids}`,
  name,
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
})
export const looks = (...calls: readonly (readonly [name: string, input: unknown])[]): Says => ({
  calls: calls.map(([name, input]) => call(name, input)),
})
export const evidence = (source: string, claim = 'it is there'): Evidence => ({ claim, source, result: 'seen' })
export const verdictOf = (more: Partial<Verdict> = {}): Verdict => ({
  goalReached: false,
  evidence: [],
  blockers: [],
  followup: 'Fix the refund test in test/refund.test.ts.',
  ...more,
})
export const judges = (more: Partial<Verdict> = {}): Says => ({ calls: [call('verdict', verdictOf(more))] })
export const reached = (...sources: readonly string[]): Says =>
  judges({ goalReached: true, evidence: sources.map((source) => evidence(source)), followup: '' })

/** A model that says one thing after the other; nothing is left to say: a fault of the test. */
export function scriptedModel(script: readonly Says[]) {
  const questions: ReviewerQuestion[] = []
  const ask: AskReviewer = async (question) => {
    const says = script[questions.length]
    questions.push(question)
    if (says === undefined) throw new Error('the script is over')
    if (says instanceof Error) throw says
    const said = typeof says === 'function' ? await says(question) : says
    const answer = {
      text: '',
      calls: [],
      usage: { input: 100, cachedInput: 0, output: 10, reasoning: 0 },
      costUsd: 0.5,
      by: 'zai/glm-5',
      ...said,
    }
    return { ...answer, raw: said.raw ?? { role: 'assistant', content: answer.text, tool_calls: answer.calls } }
  }
  return {
    ask,
    questions,
    /** all that the model has read so far, as one text */ read: () =>
      (questions.at(-1)?.messages ?? []).map((message) => (message.role === 'model' ? '' : message.text)).join('\n'),
  }
}

/** A review in a real folder, with real checks in it; only the model is scripted. */
export function reviewScene(
  script: readonly Says[],
  config: NonNullable<ConfigInput['stopMessage']>['review'] = {},
  clock: VirtualClock = virtualClock(),
) {
  const place = realFolder()
  const model = scriptedModel(script)
  const store = createStore({
    root: '/r',
    files: memoryFiles(),
    clock,
    log: silentLog,
    onProblem: ({ message }) => {
      throw new Error(message)
    },
  })
  const settings = configSchema.parse({ stopMessage: { review: config } }).stopMessage.review
  const checks = createChecks({
    store,
    runProgram: place.runProgram,
    clock,
    log: silentLog,
    defaultTimeoutSeconds: () => 60,
  })
  const review = createReview({
    ask: model.ask,
    run: place.runProgram,
    workspaceOf: () => place.workspace,
    checks,
    clock,
    random: systemRandom(),
    emptyFolder: () => place.around,
    config: () => settings,
  })
  return {
    ...place,
    clock,
    checks,
    model,
    /** a check in the folder that ends like this */
    async declare(
      name: string,
      exitCode: number,
      { approved = true, prints = '' } = {},
    ): Promise<CheckView | undefined> {
      place.put(
        `${name}.cjs`,
        `console.log(${JSON.stringify(prints)}); require('fs').appendFileSync(` +
          `${JSON.stringify(`${place.around}/ran`)}, ${JSON.stringify(`${name}\n`)}); process.exit(${exitCode})`,
      )
      const before = (await checks.of(place.folder)).checks.map(({ name: one }) => one)
      place.put(
        '.onward.json',
        JSON.stringify({
          checks: [...before, name].map((one) => ({ name: one, run: [process.execPath, `${one}.cjs`] })),
        }),
      )
      const view = (await checks.of(place.folder)).checks.find((one) => one.name === name)
      if (!view) throw new Error(`the declaration is not understood: ${JSON.stringify(await checks.of(place.folder))}`)
      return approved ? checks.approve(place.folder, name, view.argv) : view
    },
    async review(more: Partial<ReviewAsk> = {}, signal = new AbortController().signal) {
      const declared = await checks.of(place.folder)
      return review(
        { ...askOf(place.folder), checks: declared.checks, checksProblem: declared.problem, ...more },
        signal,
      )
    },
  }
}

export const askOf = (folder: string | null): ReviewAsk => ({
  sessionId: 's1',
  folder,
  goal: 'All tests pass',
  round: 3,
  used: 2,
  max: 30,
  recent: [],
  checks: [],
  checksProblem: null,
  beads: null,
  language: 'en',
  failedBefore: 0,
  turn: { calls: [], callsTotal: 0, text: 'Everything is done, all tests pass!', drivenBy: null },
})
