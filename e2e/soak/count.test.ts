import { describe, expect, it } from 'vitest'
import { countFollowups } from './count.ts'

const heard = { asked: 3, own: 'on with a', others: ['on with b'] }
const none = { received: 3, lost: 0, doubled: 0, wrongPlace: 0, merged: 0 }

describe('what became of followups', () => {
  it('each came once', () => {
    expect(countFollowups({ ...heard, said: ['on with a', 'on with a', 'on with a'] })).toEqual(none)
  })

  it('one was lost', () => {
    expect(countFollowups({ ...heard, said: ['on with a', 'on with a'] })).toEqual({ ...none, received: 2, lost: 1 })
  })

  it('one came twice', () => {
    expect(countFollowups({ ...heard, said: Array<string>(4).fill('on with a') })).toEqual({ ...none, doubled: 1 })
  })

  it('one went out with other words, and is not lost besides', () => {
    const said = ['on with a', 'on with aand more', 'on with a']
    expect(countFollowups({ ...heard, said })).toEqual({ ...none, received: 2, merged: 1 })
  })

  it('one is another agent’s', () => {
    const said = ['on with a', 'on with b', 'on with a', 'on with a']
    expect(countFollowups({ ...heard, said })).toEqual({ ...none, wrongPlace: 1 })
  })
})
