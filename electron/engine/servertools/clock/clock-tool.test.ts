import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/virtual-clock.ts'
import { turnView } from '../testing/tools.ts'
import { createClockTool } from './clock-tool.ts'
import { clockDeclaration } from './declaration.ts'

describe('the tool clock', () => {
  const clock = virtualClock(Date.parse('2026-11-21T14:00:00Z'))
  const tool = createClockTool({ clock, timezone: () => 'Asia/Shanghai' })
  const run = (input: Readonly<Record<string, unknown>> | null) => tool.run({ id: 'c', name: 'clock', arguments: '', input }, { turn: turnView(), depth: 0, signal: new AbortController().signal })

  it('tells the time', async () => {
    const plan = await run({ action: 'get', items: [], taskId: '' })
    expect(plan).toMatchObject({ kind: 'result' })
    expect(plan.kind === 'result' && JSON.parse(plan.text)).toMatchObject({ ok: true, action: 'get', utc: '2026-11-21T14:00:00.000Z', local: '2026-11-21T22:00:00+08:00', timezone: 'Asia/Shanghai' })
    expect(plan.kind === 'result' && plan.isError).toBeFalsy()
  })

  it.each([null, {}, { action: 'now' }, { action: 7 }])('says what is wrong with %j', async (input) => {
    const plan = await run(input)
    expect(plan).toMatchObject({ kind: 'result', isError: true })
    expect(plan.kind === 'result' && JSON.parse(plan.text)).toMatchObject({ ok: false, error: { code: 'bad-arguments' } })
  })

  it('is declared with every property required, as strict schemas demand', () => {
    expect(tool.declaration()).toBe(clockDeclaration)
    const check = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      if ('properties' in schema) {
        expect(schema).toMatchObject({ additionalProperties: false, required: Object.keys(schema.properties as object) })
        for (const inner of Object.values(schema.properties as object)) check(inner)
      }
      if ('items' in schema) check(schema.items)
    }
    check(clockDeclaration.parameters)
  })
})
