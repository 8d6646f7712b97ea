import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../../shared/config/schema.ts'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { heardOf, problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene, type SceneOptions } from './testing/rounds-scene.ts'
import { atFirstWord, jsonType, streamType } from './testing/scripted-upstream.ts'

const hi = (entry: EntryProtocol) => requestOf(entry, [userItem(entry, 'Hi')])
const pairs = entryProtocols.flatMap((entry) => entryProtocols.map((provider) => ({ entry, provider })))

/** The pings of each protocol. */
const pings: Readonly<Record<EntryProtocol, string>> = {
  chat: ': OPENROUTER PROCESSING\n\n',
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
  responses: 'data: {"type":"keepalive","sequence_number":1}\n\n',
  gemini: ': alive\n\n',
}

/** The end of a stream that broke off, for each client. */
const errorOf: Readonly<Record<EntryProtocol, RegExp>> = {
  chat: /data: \{"error":\{.*"code":"upstream-silent"/,
  messages: /event: error\ndata: \{"type":"error".*upstream-silent/,
  responses: /"type":"response\.failed".*upstream-silent/,
  gemini: /"code":503.*"reason":"upstream-silent"/,
}

async function silentScene(
  entry: EntryProtocol,
  options: SceneOptions & { stream?: boolean } = {},
  more: ConfigInput = {},
) {
  const { stream = true, ...rest } = options
  const scene = await roundsScene(entry, { ...rest, config: more })
  const asked = await scene.ask(hi(entry), { stream })
  return { ...scene, ...asked, first: await scene.upstream.round(1) }
}

describe.each(pairs)('a $entry client over a provider of $provider', ({ entry, provider }) => {
  it('is answered by the next candidate when nothing comes for a minute', async () => {
    const s = await silentScene(entry, { provider, candidates: 2 })
    await s.clock.advance(59_999)
    expect(s.upstream.rounds).toHaveLength(1)
    await s.clock.advance(1)
    ;(await s.upstream.round(2)).answer({ text: 'Second.' })
    expect((await s.over).error).toBeNull()
    expect(s.first.aborted).toBe(true)
    expect(heardOf(entry, s.client.text)).toMatchObject({ text: 'Second.' })
    expect(s.turn.tried).toMatchObject([{ code: 'upstream-silent', durationMs: 60_000 }])
    expect(s.reports[0]?.outcome).toMatchObject({ kind: 'unreachable', code: 'upstream-silent' })
  })

  it('is answered by the next candidate when it falls silent behind its beginning', async () => {
    const s = await silentScene(entry, { provider, candidates: 2 })
    s.first.head(200, streamType)
    s.first.data(pings[provider])
    const [begun] = atFirstWord(s.first.events({ text: 'Never said.' }))
    for (const part of begun.slice(0, -1)) s.first.data(part)
    await s.clock.advance(59_999)
    expect(s.client.heads).toEqual([])
    await s.clock.advance(1)
    ;(await s.upstream.round(2)).answer({ text: 'Second.' })
    expect((await s.over).error).toBeNull()
    expect(heardOf(entry, s.client.text)).toMatchObject({ text: 'Second.' })
    expect(problemsOf(entry, s.client.text)).toEqual([])
  })

  it('waits on where nobody else is there, and gets what came', async () => {
    const s = await silentScene(entry, { provider })
    s.first.head(200, streamType)
    const [begun, more] = atFirstWord(s.first.events({ text: 'At last.' }))
    for (const part of begun.slice(0, -1)) s.first.data(part)
    await s.clock.advance(60_000)
    expect(s.client.heads).toHaveLength(begun.length > 1 ? 1 : 0)
    await s.clock.advance(200_000)
    for (const part of [...begun.slice(-1), ...more]) s.first.data(part)
    s.first.end()
    expect((await s.over).error).toBeNull()
    expect(heardOf(entry, s.client.text)).toMatchObject({ text: 'At last.' })
    expect(s.clock.pending()).toBe(0)
  })

  it('is refused in a way that it asks again, where nobody else is there and the time is known', async () => {
    const s = await silentScene(entry, { provider, model: { timeouts: { silentMs: 5_000 } } })
    await s.clock.advance(5_000)
    expect((await s.over).error).toMatchObject({ code: 'upstream-silent', status: 504, retryable: true })
    expect(s.client.heads).toEqual([])
    expect(s.first.aborted).toBe(true)
  })

  it('is told in its own words after ten minutes of pings', async () => {
    const s = await silentScene(entry, { provider, candidates: 2 })
    s.first.head(200, streamType)
    for (let i = 0; i < 20; i++) {
      s.first.data(pings[provider])
      await s.clock.advance(29_000)
    }
    expect(s.upstream.rounds).toHaveLength(1)
    s.first.data(pings[provider])
    await s.clock.advance(20_000)
    const { end } = await s.over
    expect(s.first.aborted).toBe(true)
    expect(s.client.text).toMatch(errorOf[entry])
    expect(end.summary.error?.code).toBe('upstream-silent')
    expect(s.reports.at(-1)?.outcome).toMatchObject({ kind: 'answered', brokenOff: true, isMute: true })
    expect(s.clock.pending()).toBe(0)
  })

  it('is told in its own words when an answer stops in the middle', async () => {
    const s = await silentScene(entry, { provider, candidates: 2 })
    s.first.head(200, streamType)
    const [begun] = atFirstWord(s.first.events({ text: 'A longer text that comes in pieces.' }))
    for (const part of begun) s.first.data(part)
    // Silence in the middle is for the transport to watch.
    s.first.fail('upstream-silent')
    const { end } = await s.over
    expect(s.client.text).toMatch(errorOf[entry])
    expect(end.summary.error?.code).toBe('upstream-silent')
    expect(s.upstream.rounds).toHaveLength(1)
  })

  it('waits for a body as long as it takes, though not for blanks alone', async () => {
    const s = await silentScene(entry, { provider, candidates: 2, stream: false })
    await s.clock.advance(300_000)
    s.first.head(200, jsonType)
    for (let i = 0; i < 60; i++) {
      s.first.data('\n')
      await s.clock.advance(10_000)
    }
    ;(await s.upstream.round(2)).answer({ text: 'Second.' })
    expect((await s.over).error).toBeNull()
    expect(s.client.text).toContain('Second.')
  })
})

describe('a provider that is silent', () => {
  it('is known by the longest silence of each answer, what was given up included', async () => {
    const s = await silentScene('messages', { candidates: 2 })
    await s.clock.advance(60_000)
    const second = await s.upstream.round(2)
    const [begun, more] = atFirstWord(second.events({ text: 'Second.' }))
    second.head(200, streamType)
    for (const part of begun.slice(0, -1)) second.data(part)
    expect(second.maySilentMs).toBeNull()
    for (const part of [...begun.slice(-1), ...more]) second.data(part)
    expect(second.maySilentMs).toBe(300_000)
    second.end()
    await s.over
    expect(s.reports.map(({ outcome }) => ('longest' in outcome ? outcome.longest : null))).toEqual([
      { silentMs: 60_000, idleMs: null },
      null,
      { silentMs: 1_000, idleMs: 2_000 },
    ])
  })

  it('leaves half of the time of Onward’s own call to the next one', async () => {
    for (const candidates of [1, 2]) {
      const scene = await roundsScene('chat', { candidates })
      const internal = { kind: 'probe', withinMs: 300_000 } as const
      const { client, over } = await scene.ask(hi('chat'), { stream: false, internal })
      await scene.clock.advance(149_999)
      expect(scene.upstream.rounds).toHaveLength(1)
      await scene.clock.advance(1)
      ;(await scene.upstream.round(candidates)).answer({ text: 'Done.' })
      expect((await over).error).toBeNull()
      expect(client.text).toContain('Done.')
    }
  })

  it('of a body is known by nothing', async () => {
    const s = await silentScene('messages', { stream: false })
    s.first.answer({ text: 'Hello.' })
    await s.over
    expect(s.first.maySilentMs).toBeNull()
    expect(s.reports.every(({ outcome }) => !('longest' in outcome))).toBe(true)
  })

  it('takes none of the time in which others may be tried', async () => {
    const s = await silentScene('messages', { candidates: 3 })
    await s.clock.advance(60_000)
    await s.upstream.round(2)
    await s.clock.advance(60_000)
    ;(await s.upstream.round(3)).answer({ text: 'Third.' })
    expect((await s.over).error).toBeNull()
    expect(s.turn.tried.map(({ code }) => code)).toEqual(['upstream-silent', 'upstream-silent'])
  })

  it('is not waited for again where its first byte was waited for in vain', async () => {
    const s = await silentScene('messages', { candidates: 2, stream: false })
    await s.clock.advance(600_000)
    s.first.fail('upstream-silent')
    ;(await s.upstream.round(2)).answer({ text: 'Second.' })
    expect((await s.over).error).toBeNull()
  })
})
