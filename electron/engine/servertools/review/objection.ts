import { weigh, type EvidenceContext } from './evidence.ts'
import type { ReadVerdict } from './verdict.ts'

/**
 * Why a verdict is not accepted. The model gets it once, in `ask`; the second time the review has failed, for the
 * reason in `why`.
 */
export interface Objection {
  code: 'bad-verdict' | 'no-evidence' | 'false-evidence'
  ask: string
  why: string
}

/** @param context null: there is no folder, so nothing can be looked at */
export async function objectionTo(read: ReadVerdict, context: EvidenceContext | null): Promise<Objection | null> {
  if (!read.ok)
    return {
      code: 'bad-verdict',
      why: `It gave no verdict that can be read. ${read.why}`,
      ask: `That is no verdict. ${read.why} Call \`verdict\` with exactly what it declares.`,
    }
  const { goalReached, evidence } = read.verdict
  if (context && !(context.records ?? []).some(({ inspection }) => inspection.ok)) {
    return {
      code: 'no-evidence',
      why: 'It judged without having looked at anything.',
      ask:
        'You have looked at nothing yet. Look at what shows whether the ' +
        'goal is reached, with the tools, and then give your verdict.',
    }
  }
  if (!goalReached) return null
  if (evidence.length === 0)
    return noEvidence('It said the goal is reached without any evidence.', 'There is no evidence in it.')
  if (!context) return null
  const { held, untrue } = await weigh(evidence, context)
  const [first] = untrue
  if (first)
    return {
      code: 'false-evidence',
      why: `Its evidence names ${first.source}, which is not there.`,
      ask:
        `The verdict is not believed: ${first.source} does not exist. ` +
        'Look again, and give only what you saw yourself as evidence.',
    }
  return held.length > 0
    ? null
    : noEvidence(
        'Nothing it gave as evidence was seen in this review.',
        'None of its sources is something you saw in this review.',
      )
}

const noEvidence = (why: string, said: string): Objection => ({
  code: 'no-evidence',
  why,
  ask:
    `The verdict is not accepted. ${said} Look at what shows that the goal is reached, and ` +
    'name it: file:<path>, check:<name>, git:status, git:diff, git:log or search:<text>.',
})
