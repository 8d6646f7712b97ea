import { describe, expect, it } from 'vitest'
import { problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { lookTool } from './testing/slow-tool.ts'

const text = { thinking: 'Hm.', text: 'A longer text that comes in pieces.' }
const error = (sequence: number) =>
  `event: error\ndata: {"type":"error","sequence_number":${sequence},"code":"server_error",` +
  '"message":"It broke.","param":null}\n\n'

/** Codex 0.171.0 ignores an `error` event, and asks again where no response.failed follows. */
describe.each([
  ['without tools of Onward’s', []],
  ['with them', [lookTool()]],
])('a Responses stream that is passed through %s', (_what, tools) => {
  async function begun() {
    const scene = await roundsScene('responses', { tools })
    const asked = await scene.ask(requestOf('responses', [userItem('responses', 'Hi')]), { stream: true })
    const round = await scene.upstream.round(1)
    const events = round.events(text).slice(0, 9)
    round.head()
    for (const event of events) round.data(event)
    return { ...asked, round, next: events.length, id: /"id":"(resp_\w+)"/.exec(events[0] ?? '')?.[1] }
  }
  const lastOf = (wire: string): unknown => JSON.parse(/data: (.*)\n\n$/.exec(wire)?.[1] ?? '')

  it.each(['end', 'fail'] as const)('and has only an error event (%s) ends in response.failed', async (how) => {
    const w = await begun()
    w.round.data(error(w.next))
    w.round[how]()
    const { end } = await w.over
    expect(problemsOf('responses', w.client.text)).toEqual([])
    expect(lastOf(w.client.text)).toMatchObject({
      type: 'response.failed',
      sequence_number: w.next + 1,
      response: { id: w.id, status: 'failed', error: { code: 'server_error', message: 'It broke.' } },
    })
    expect(end.summary).toMatchObject({ finish: 'error', error: { code: 'server_error', message: 'It broke.' } })
  })

  it.each(['end', 'fail'] as const)('and is cut (%s) says so in both words', async (how) => {
    const w = await begun()
    w.round[how]()
    await w.over
    expect(problemsOf('responses', w.client.text)).toEqual([])
    expect(w.client.text).toMatch(
      /event: error\ndata: .*"sequence_number":9.*\n\nevent: response\.failed\ndata: .*\n\n$/,
    )
    expect(lastOf(w.client.text)).toMatchObject({ response: { id: w.id, error: { code: 'upstream-broke-off' } } })
  })

  it('and fails by itself is passed on as it came', async () => {
    const w = await begun()
    const response = { id: w.id, status: 'failed', error: { code: 'c', message: 'm' }, output: [] }
    const data = JSON.stringify({ type: 'response.failed', sequence_number: 10, response })
    const failed = `event: response.failed\ndata: ${data}\n\n`
    w.round.data(error(w.next))
    w.round.data(failed)
    w.round.end()
    await w.over
    expect(w.client.text.endsWith(error(w.next) + failed)).toBe(true)
  })
})
