import { describe, expect, it } from 'vitest'
import { createLastRequests } from './request/turn-excerpt.ts'
import { requestOf, userItem } from './testing/client-view.ts'
import { roundsScene, type SceneOptions } from './testing/rounds-scene.ts'
import { atFirstWord } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'

const hello = requestOf('messages', [userItem('messages', 'Hi')])

async function asked(options: SceneOptions = {}) {
  const scene = await roundsScene('messages', options)
  const one = await scene.ask(hello)
  return { ...scene, ...one, first: await scene.upstream.round(1) }
}

describe('a turn’s hold on its request’s bytes', () => {
  it('goes once its answer begins', async () => {
    const { first, released, over } = await asked()
    const [begin, more] = atFirstWord(first.events({ text: 'Hello.' }))
    first.head()
    expect(released).toEqual([])
    for (const event of begin) first.data(event)
    expect(released).toEqual(['empty'])
    for (const event of more) first.data(event)
    first.end()
    await over
    expect(released).toEqual(['empty'])
  })

  it('goes once an answer that comes in one piece is there', async () => {
    const { upstream, ask } = await roundsScene('messages')
    const { released, over } = await ask(hello, { stream: false })
    const first = await upstream.round(1)
    first.head()
    first.data(first.whole({ text: 'Hello.' }))
    expect(released).toEqual([])
    first.end()
    await over
    expect(released).toEqual(['empty'])
  })

  it.each([
    ['ends where a tool of Onward’s might have been called', 1],
    ['ends after a further round, which is made of it', 2],
  ])('goes once the answer %s', async (_, rounds) => {
    const { first, released, over, upstream } = await asked({ tools: [lookTool()] })
    if (rounds === 2) {
      first.answer({ toolCalls: [{ name: 'look', id: 'call_a', input: {} }] })
      const second = await upstream.round(2)
      expect(second.body.toString()).toContain('Hi')
      expect(released).toEqual([])
      second.answer({ text: 'Seen.' })
    } else first.answer({ text: 'Hello.' })
    await over
    expect(released).toEqual(['empty'])
  })

  it.each([[[]], [[lookTool()]]])(
    'goes where they are read when the turn is decided about, and the reader keeps them',
    async (tools) => {
      const requests = createLastRequests({ isArmed: () => true, reenterScope: (id) => `session:${id}` })
      const { first, released, over, turn } = await asked({ tools, keep: requests.keep })
      first.answer({ text: 'Hello.' })
      const { end } = await over
      expect(released).toEqual(['empty'])
      expect(requests.excerpt(turn, end.summary)).toMatchObject({ text: 'Hello.', callsTotal: 0 })
    },
  )

  it('stays where no answer begins', async () => {
    const { first, released, over } = await asked()
    first.fail()
    expect((await over).error).toMatchObject({ code: 'upstream-broke-off' })
    expect(released).toEqual([])
  })
})
