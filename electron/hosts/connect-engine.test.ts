import { describe, expect, it } from 'vitest'
import { OnwardError } from '../engine/base/errors.ts'
import { silentLog } from '../engine/base/log.ts'
import { virtualClock } from '../engine/base/testing/virtual-clock.ts'
import type { EngineInfo } from '../engine/control/attach.ts'
import type { AttachedEngine } from './attached-engine.ts'
import { connectEngine, handsOverWithinMs } from './connect-engine.ts'
import type { EngineLink } from '../shell/life/engine-link.ts'

const info: EngineInfo = {
  pid: 4242,
  host: '127.0.0.1',
  port: 5520,
  socket: '/run/onward/engine.sock',
  startedAt: 1,
  version: '0.1.0',
}
const link = (owned: boolean, port: number | null): EngineLink => ({
  owned,
  origin: `http://127.0.0.1:${port ?? 5520}`,
  dashboardLink: async () => `http://127.0.0.1:${port ?? 5520}/dashboard/#token=t`,
  async *follow() {
    /* nothing to tell */
  },
  pause: async () => undefined,
  resume: async () => undefined,
  rearm: async () => undefined,
  snoozeAlarm: async () => undefined,
  cancelAlarm: async () => undefined,
  wokeUp: () => undefined,
  dispose: async () => undefined,
})

interface Scene {
  running?: boolean
  token?: boolean
  answers?: 'yes' | 'no' | 'never'
  handsOver?: 'ends' | 'refuses' | 'stays' | 'ends without an answer'
  port?: number | null
  startFails?: OnwardError
  /** it fails each time */
  failsAgain?: boolean
  /** another engine stands there when our own was refused */
  quicker?: boolean
  /** the running engine's facts that differ from the usual ones */
  is?: Partial<EngineInfo>
}

async function connect(scene: Scene) {
  const clock = virtualClock()
  const did: string[] = []
  let running = scene.running ?? false
  let startFails = scene.startFails
  const ends = () => {
    running = false
  }
  const other: AttachedEngine = {
    ...link(false, info.port),
    owned: false,
    call: () => Promise.reject(new Error('not part of this test')),
    async *watch() {},
    answers: () =>
      scene.answers === 'never'
        ? new Promise(() => undefined)
        : scene.answers === 'no'
          ? Promise.reject(new Error('connection refused'))
          : Promise.resolve(),
    async handOver() {
      did.push('asked')
      if (scene.handsOver === 'ends') ends()
      if (scene.handsOver === 'ends without an answer') {
        ends()
        return new Promise(() => undefined)
      }
      return scene.handsOver !== 'refuses'
    },
    async dispose() {
      did.push('let go')
    },
  }
  const result = connectEngine({
    clock,
    log: silentLog,
    version: '0.1.0',
    port: scene.port ?? null,
    findRunning: async () => (running ? { ...info, ...scene.is } : null),
    attach: async () => (scene.token === false ? null : other),
    alive: () => running,
    async startOwn(port) {
      did.push(`own on ${port}`)
      if (!startFails) return link(true, port)
      const error = startFails
      if (!scene.failsAgain) startFails = undefined
      running = scene.quicker ?? running
      throw error
    },
  }).then(
    (made) => (made.owned ? 'own' : made.older ? `attached, ${made.older.version} may be replaced` : 'attached'),
    (error: unknown) => String(error),
  )
  await clock.advance(handsOverWithinMs * 3)
  return { result: await result, did }
}

describe('which engine the desktop works with', () => {
  it.each<[string, Scene, string, string[]]>([
    ['its own, where none runs', {}, 'own', ['own on null']],
    ['its own, on the port the person named', { port: 7000 }, 'own', ['own on 7000']],
    [
      'its own, at the address of the one that handed over',
      { running: true, handsOver: 'ends' },
      'own',
      ['asked', 'let go', 'own on 5520'],
    ],
    [
      'its own, also when the other was gone before it answered',
      { running: true, handsOver: 'ends without an answer' },
      'own',
      ['asked', 'let go', 'own on 5520'],
    ],
    [
      'its own, on the port the person named, after a hand-over',
      { running: true, handsOver: 'ends', port: 7000 },
      'own',
      ['asked', 'let go', 'own on 7000'],
    ],
    ['the other, when it refuses', { running: true, handsOver: 'refuses' }, 'attached', ['asked']],
    ['the other, when it says yes and stays', { running: true, handsOver: 'stays' }, 'attached', ['asked']],
    [
      'its own, when the other is older',
      { running: true, handsOver: 'ends', is: { version: '0.0.9' } },
      'own',
      ['asked', 'let go', 'own on 5520'],
    ],
    [
      'the other, unasked, when it is newer',
      { running: true, handsOver: 'ends', is: { version: '0.2.0' } },
      'attached',
      [],
    ],
    ['the other, unasked, when it finishes its answers', { running: true, is: { endsBy: 60_000 } }, 'attached', []],
    [
      'the other, unasked, when it is a service',
      { running: true, handsOver: 'ends', is: { service: true } },
      'attached',
      [],
    ],
    [
      'the other, unasked, when it is a service of an older one, which a person may replace',
      { running: true, handsOver: 'ends', is: { service: true, version: '0.0.9' } },
      'attached, 0.0.9 may be replaced',
      [],
    ],
    [
      'the other, when an older one refuses, which a person may ask again',
      { running: true, handsOver: 'refuses', is: { version: '0.0.9' } },
      'attached, 0.0.9 may be replaced',
      ['asked'],
    ],
    ['its own, when the other has no token for us', { running: true, token: false }, 'own', ['own on null']],
    ['its own, when the other does not answer', { running: true, answers: 'never' }, 'own', ['let go', 'own on null']],
    ['its own, when the other can’t be reached', { running: true, answers: 'no' }, 'own', ['let go', 'own on null']],
    [
      'the one that was quicker',
      { running: true, handsOver: 'ends', startFails: new OnwardError('root-locked', 'held by 4243'), quicker: true },
      'attached',
      ['asked', 'let go', 'own on 5520'],
    ],
    [
      'the service for which the system has the port',
      { startFails: new OnwardError('port-in-use', 'port 5520 is taken'), quicker: true },
      'attached',
      ['own on null'],
    ],
    [
      'its own, once an engine that says nothing of itself any more has let the home go',
      { startFails: new OnwardError('root-locked', 'held by 4243') },
      'own',
      ['own on null', 'own on null'],
    ],
  ])('%s', async (_what, scene, result, did) => {
    expect(await connect(scene)).toEqual({ result, did })
  })

  it.each<[string, Scene]>([
    [
      'the home is held by a process that never says where it is',
      { startFails: new OnwardError('root-locked', 'pid 7 holds it'), failsAgain: true },
    ],
    ['the port is taken', { startFails: new OnwardError('port-in-use', 'port 5520 is taken') }],
  ])('none, and says why: %s', async (_what, scene) => {
    expect((await connect(scene)).result).toBe(String(scene.startFails))
  })
})
