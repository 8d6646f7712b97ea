import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { asJson, createStoredResponses, expanded, type StoredResponses } from './stored-responses.ts'

const user = (content: string) => ({ type: 'message', role: 'user', content })
const expand = (stored: StoredResponses, body: Readonly<Record<string, unknown>>) =>
  expanded(body, stored.before(body['previous_response_id']))
const answer = (id: string, said: string) => ({ id, output: [{ type: 'message', role: 'assistant', content: said }] })

describe('responses kept for providers that keep none', () => {
  it('a request that names the one before has the whole conversation', () => {
    const stored = createStoredResponses(virtualClock())
    stored.keep([user('one')], answer('r1', 'first'), 10)
    const second = expand(stored, { previous_response_id: 'r1', input: 'two', model: 'm' })
    expect(second).toEqual({ model: 'm', input: [user('one'), answer('', 'first').output[0], user('two')] })
    stored.keep(second['input'] as unknown[], answer('r2', 'second'), 10)
    expect((expand(stored, { previous_response_id: 'r2', input: [user('three')] })['input'] as unknown[]).length).toBe(
      5,
    )
  })

  it('of a long conversation as JSON all the same', () => {
    const stored = createStoredResponses(virtualClock())
    const both = [user('one'), answer('', 'first').output[0]]
    stored.keep(asJson([user('one')]), answer('r1', 'first'), 10)
    stored.keep(asJson([]), { id: 'r2', output: asJson(both) }, 10)
    stored.keep(asJson(both), { id: 'r3', output: [] }, 10)
    for (const id of ['r1', 'r2', 'r3'])
      expect(expand(stored, { previous_response_id: id, input: 'two' })).toEqual({ input: [...both, user('two')] })
  })

  it('leaves a request alone that names none', () => {
    const body = { model: 'm', input: 'hi', previous_response_id: null }
    expect(expand(createStoredResponses(virtualClock()), body)).toBe(body)
  })

  it('says so when it does not know the response any more', async () => {
    const clock = virtualClock()
    const stored = createStoredResponses(clock)
    const unknown = (id: string) =>
      expect(() => expand(stored, { previous_response_id: id, input: 'x' })).toThrow(/is not known here any more/)
    unknown('never')
    stored.keep([], answer('old', 'x'), 10)
    await clock.advance(6 * 60 * 60_000 + 1)
    unknown('old')
    for (let i = 0; i <= 500; i++) stored.keep([], answer(`r${i}`, 'x'), 10)
    unknown('r0')
    expect(expand(stored, { previous_response_id: 'r500', input: [] })).toEqual({ input: answer('', 'x').output })
    stored.keep([], answer('huge', 'x'), 65 * 1024 * 1024)
    unknown('r500')
  })
})
