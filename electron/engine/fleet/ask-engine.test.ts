import { describe, expect, it } from 'vitest'
import { OnwardError } from '../base/errors.ts'
import { askEngine } from './ask-engine.ts'
import { aliveText } from './alive.ts'

const facts = { version: '1.2.3', since: 1, ended: false }
const key = '0a1b2c3d-1111-4222-8333-944455556666'

function world(answer: () => string, alive: string | null = aliveText(facts)) {
  const sent: string[] = []
  const kept: string[] = []
  const deps = {
    hub: {
      get: async () => alive,
      async ask(subject: string, text: string) {
        sent.push(`${subject} ${text}`)
        return answer()
      },
      async keep(subject: string, id: string, text: string) {
        kept.push(`${subject} ${id} ${text}`)
      },
    },
    fleet: 'lab',
    keptMs: 1_000,
    clock: { now: () => 5 },
    random: { uuid: () => key },
  }
  return {
    sent,
    kept,
    ask: (operation: string, input?: unknown) => askEngine(deps, { engine: 'gpu', operation, input }),
  }
}
const refusing = (code: string) => () => {
  throw new OnwardError(code, 'No.')
}

describe('asking another engine', () => {
  it('names right and operation in the subject, and gives the answer back', async () => {
    const { ask, sent } = world(() => '{"answer":{"pid":7}}')
    expect(await ask('status')).toEqual({ kind: 'answered', answer: { pid: 7 } })
    await ask('pause', 'billing')
    await ask('say', { session: 'billing', text: 'hi' })
    expect(sent).toEqual([
      'onward.lab.gpu.look.status null',
      'onward.lab.gpu.arm.pause "billing"',
      `onward.lab.gpu.say.say {"key":"${key}","session":"billing","text":"hi"}`,
    ])
  })

  it('has its refusals, with their codes', async () => {
    const { ask } = world(() => '{"error":{"code":"session-unknown","message":"None.","facts":{"a":1}}}')
    await expect(ask('session', 'x')).rejects.toMatchObject({
      code: 'session-unknown',
      message: 'None.',
      details: { a: 1, engine: 'gpu' },
    })
    for (const said of ['', 'null', '7', '{"error":7}'])
      await expect(world(() => said).ask('status')).rejects.toMatchObject({ code: 'fleet-no-answer' })
  })

  it.each(['fleet-engine-away', 'fleet-silent'])('of what is done once waits at the hub: %s', async (code) => {
    const { ask, kept } = world(refusing(code))
    const own = '0a1b2c3d-1111-4222-8333-000000000000'
    expect(await ask('say', { session: 's', text: 'hi' })).toEqual({ kind: 'waits', until: 1_005 })
    await ask('addAlarm', { session: 's', dueAt: 1, task: 'x', key: own })
    expect(kept).toEqual([
      `onward.lab.gpu.later.say.say ${key} {"key":"${key}","session":"s","text":"hi"}`,
      `onward.lab.gpu.later.arm.addAlarm ${own} {"key":"${own}","session":"s","dueAt":1,"task":"x"}`,
    ])
    await expect(ask('pause', 's')).rejects.toMatchObject({ code })
    expect(kept).toHaveLength(2)
  })

  it('is not done where nobody may, where it is not known, or of a build that would misread it', async () => {
    const { ask, sent } = world(() => '{"answer":1}')
    for (const operation of ['joinFleet', 'configText', 'askFleet', '__proto__'])
      await expect(ask(operation)).rejects.toMatchObject({ code: 'fleet-may-not' })
    const unknown = world(() => '{"answer":1}', null)
    await expect(unknown.ask('status')).rejects.toMatchObject({ code: 'fleet-engine-unknown' })
    const newer = world(() => '{"answer":1}', JSON.stringify({ ...facts, contract: { version: 9, oldest: 8 } }))
    await expect(newer.ask('status')).rejects.toMatchObject({ code: 'fleet-contract', details: { fit: 'too-new' } })
    expect([...sent, ...unknown.sent, ...newer.sent]).toEqual([])
    await expect(world(refusing('fleet-not-allowed')).ask('say', { session: 's', text: 'x' })).rejects.toMatchObject({
      code: 'fleet-not-allowed',
    })
  })
})
