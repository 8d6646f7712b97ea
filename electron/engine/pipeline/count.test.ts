import { describe, expect, it } from 'vitest'
import { parseObject } from '../protocol/values.ts'
import { requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'

describe.each([
  ['messages', 'input_tokens'],
  ['responses', 'input_tokens'],
  ['gemini', 'totalTokens'],
] as const)('a count that a %s client asks for', (entry, member) => {
  const asked = async (candidates = 1) => {
    const scene = await roundsScene(entry, { candidates })
    return {
      ...scene,
      ...(await scene.ask(requestOf(entry, [userItem(entry, 'Hi')]), { stream: false, endpoint: 'count' })),
    }
  }

  it.each([400, 404, 405, 501])('is estimated where the provider answers with %i', async (status) => {
    const { upstream, client, over } = await asked()
    ;(await upstream.round(1)).refuse(status)
    expect((await over).error).toBeNull()
    expect(client.heads).toMatchObject([{ status: 200 }])
    expect(parseObject(Buffer.from(client.text))?.[member]).toBeGreaterThan(0)
  })

  it('is made by the next provider where that has it', async () => {
    const { upstream, client, over } = await asked(2)
    ;(await upstream.round(1)).refuse(404)
    const second = await upstream.round(2)
    second.head(200, 'application/json')
    second.data(`{"${member}":77}`)
    second.end()
    expect((await over).error).toBeNull()
    expect(client.text).toBe(`{"${member}":77}`)
  })

  it('fails where the provider fails', async () => {
    const { upstream, client, over } = await asked()
    ;(await upstream.round(1)).refuse(500)
    await over
    expect(client.heads).toMatchObject([{ status: 500 }])
  })
})
