import { describe, expect, it } from 'vitest'
import { takeGivenSocket } from './given-socket.ts'

describe('a socket that is handed over', () => {
  it.each([
    ['by systemd', { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'onward.socket' }, 'onward.socket'],
    ['by something else', { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'unknown' }, null],
    ['without a name', { LISTEN_PID: '7', LISTEN_FDS: '1' }, null],
  ])('is taken %s, and no child hears of it', (_who, given, unit) => {
    const env = { ...given, LISTEN_PIDFDID: '1', PATH: '/bin' }
    expect(takeGivenSocket(env, 7)).toEqual({ fd: 3, unit })
    expect(env).toEqual({ PATH: '/bin' })
  })

  it.each([
    ['is none', {}],
    ['is for another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }],
    ['is for nobody', { LISTEN_FDS: '1' }],
    ['is none of none', { LISTEN_PID: '7', LISTEN_FDS: '0' }],
  ])('%s', (_what, given) => {
    const env = { ...given, PATH: '/bin' }
    expect(takeGivenSocket(env, 7)).toBeNull()
    expect(env).toEqual({ PATH: '/bin' })
  })

  it('is not chosen from several', () => {
    expect(() => takeGivenSocket({ LISTEN_PID: '7', LISTEN_FDS: '2' }, 7)).toThrow('handed it 2 sockets')
  })
})
