import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from './index.ts'
import { loadScreen } from './testing/load-screen.ts'
import { recognise } from './recognise.ts'
import { createSuggestion, type Suggestion } from './suggestion.ts'

const empty = { kind: 'idle', composer: { kind: 'empty' } }
const draft = { kind: 'idle', composer: { kind: 'text', text: 'run the tests again', room: expect.anything() } }

describe.each(['qwen-ci', 'claude-no-color', 'claude-ci'] as const)(
  'a suggested prompt without colours: %s',
  (name) => {
    const agent = name.startsWith('qwen') ? agents.qwen : agents.claude
    let suggestion: Suggestion
    const seen = async (screen: string) => recognise(await loadScreen(`${name}-${screen}`), agent, suggestion)
    beforeEach(() => {
      suggestion = createSuggestion()
    })

    it('is taken for a draft where its words are not known, or are others', async () => {
      expect(await seen('suggestion')).toEqual(draft)
      suggestion.suggested('run the tests')
      expect(await seen('suggestion')).toEqual(draft)
    })
    it('leaves the composer empty once the answer went through Onward', async () => {
      suggestion.suggested(' run the tests\nagain ')
      expect(await seen('suggestion')).toEqual(empty)
      expect(await seen('suggestion')).toEqual(empty)
    })
    it('is a draft once it was accepted, wherever the cursor goes then', async () => {
      suggestion.suggested('run the tests again')
      expect(await seen('suggestion')).toEqual(empty)
      expect(await seen('accepted')).toEqual(draft)
      // character for character the screen of the suggestion
      expect(await seen('accepted-home')).toEqual(draft)
    })
    it('is a draft once the person has pressed a key, also where no look saw what it did', async () => {
      suggestion.suggested('run the tests again')
      suggestion.touched()
      expect(await seen('accepted-home')).toEqual(draft)
    })
    it('is over with the next turn, and the next suggestion is one again', async () => {
      suggestion.suggested('run the tests again')
      suggestion.touched()
      suggestion.suggested(null)
      expect(await seen('suggestion')).toEqual(draft)
      suggestion.suggested('run the tests again')
      expect(await seen('suggestion')).toEqual(empty)
    })
  },
)

it('does not ask for words where colours tell: what is not drawn as ghost text is a draft', async () => {
  const suggestion = createSuggestion()
  suggestion.suggested('hello there')
  const view = await loadScreen('qwen-draft')
  const atStart = { ...view, cursor: { x: 2, y: view.cursor.y } }
  expect(recognise(atStart, agents.qwen, suggestion)).toEqual({
    kind: 'idle',
    composer: { kind: 'text', text: 'hello there', room: expect.anything() },
  })
})
