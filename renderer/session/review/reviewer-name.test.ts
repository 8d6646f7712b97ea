import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../testing/words.ts'
import { currentReviewer, reviewedBy } from './reviewer-name.ts'

const words = wordsOf('en')
const model = (by: string) => ({ backend: 'model', by, problem: null }) as const
const command = { backend: 'command', by: 'codex', problem: null } as const

describe('who reviews', () => {
  it.each([
    [model('review'), 'route review'],
    [model('default'), 'route default'],
    [model('zai.glm-5'), 'zai.glm-5'],
    [command, 'codex, a command'],
    [undefined, ''],
  ] as const)('%j looks now: %s', (reviewer, said) => expect(currentReviewer(reviewer, words)).toBe(said))

  it.each([
    ['model', model('review'), 'zai/glm-5, route review'],
    ['model', model('zai.glm-5'), 'zai/glm-5'],
    ['model', command, 'zai/glm-5'],
    ['model', undefined, 'zai/glm-5'],
    ['command', model('review'), 'zai/glm-5, a command'],
  ] as const)('a %s did, with %j now: %s', (backend, reviewer, said) =>
    expect(reviewedBy({ by: 'zai/glm-5', backend }, reviewer, words)).toBe(said),
  )
})
