import { describe, expect, it } from 'vitest'
import { sampleSession } from '../control/testing/fake-control-api.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { SessionView } from '../../../shared/state.ts'
import { withoutTexts } from '../../../shared/without-texts.ts'

const secret = 'a word of the conversation'
const stop = { text: secret, used: 1, max: 3, review: true }
const texts: Partial<SessionView> = {
  stopMessage: {
    ...stop,
    status: { kind: 'paused', reason: { code: 'needs-user', text: secret }, at: 1 },
    armedAt: 1,
    lastUsedAt: null,
  },
  lastStopMessage: { ...stop, clearedAt: 1, clearedBy: 'user' },
  leftGoal: { text: secret, used: 1, max: 3, sessionId: 's2' },
  heldMarkers: [{ id: 'm1', marker: secret, why: 'in-paste', at: 1 }],
  nextAlarm: { taskId: 't1', dueAt: 1, task: secret, waiting: 1 },
}
const says: readonly SessionView['say'][] = [
  {
    code: 'needs-you',
    what: `permission: ${secret}`,
    asked: {
      question: secret,
      about: secret,
      choices: [{ label: secret, key: '1' }],
      wants: { act: 'run', what: secret },
    },
  },
  { code: 'held', reason: { code: 'dialog-open', what: secret } },
  { code: 'paused', reason: { code: 'review-failed', times: 3, why: secret }, waiting: 1 },
  { code: 'paused', reason: { code: 'checks-unapproved', names: [secret] }, waiting: 1 },
  { code: 'done', reason: { code: 'goal-reached', checks: 2, evidence: secret } },
  { code: 'failed', reason: { code: 'typing-failed', message: secret } },
  { code: 'background-work', kind: 'command', what: secret, since: 1, until: 2, more: 0 },
  { code: 'retrying', provider: 'glm', status: 500, message: secret, tries: 2, since: 1, tried: [] },
  { code: 'left-goal', text: secret },
]

describe('an answer without texts', () => {
  it.each(says)('of a session that is $code has no word of its conversation, and a sentence all the same', (say) => {
    const view = sampleSession({ ...texts, say })
    const bare = withoutTexts(view)
    expect(JSON.stringify(view)).toContain(secret)
    expect(JSON.stringify(bare)).not.toContain(secret)
    const { id, name, cwd, client, shape, model, route, scope, turns, usage } = view
    expect(bare).toMatchObject({ id, name, cwd, client, shape, model, route, scope, turns, usage })
    expect(bare.say.code).toBe(say.code)
    expect(sentencesOf('en').say(bare.say, 1_000)).not.toContain('undefined')
  })

  it('gives away no member that is new', () => {
    expect(withoutTexts({ id: 's1', novel: secret, more: [{ words: [secret], code: 'x' }], at: 5 })).toEqual({
      id: 's1',
      novel: '',
      more: [{ words: [''], code: 'x' }],
      at: 5,
    })
  })
})
