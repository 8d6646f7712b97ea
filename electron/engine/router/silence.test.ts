import { expect, it } from 'vitest'
import { ask, routerScene, targetOf, threeInOrder } from './testing/scene.ts'

const scene = (baseUrl: string) =>
  routerScene({
    providers: { p: { type: 'openai-chat', baseUrl, auth: 'none', models: { m: {} } } },
    routes: { default: ['p.m'] },
  })

/** A good stream that was silent for this long. */
function answered(r: ReturnType<typeof routerScene>, silentMs: number, idleMs: number): void {
  const choice = r.choose(ask())
  const longest = { silentMs, idleMs }
  r.tell(choice, { kind: 'answered', status: 200, headers: {}, body: null, ttfbMs: 9, brokenOff: false, longest })
}

it('measures how long each model may be silent, and shows it', () => {
  const r = scene('https://models.test/v1')
  for (let i = 0; i < 19; i++) answered(r, 800, 200)
  expect(r.choose(ask()).measured).toEqual(expect.objectContaining({ silentMs: null, idleMs: null }))
  expect(r.views()[0]).not.toHaveProperty('silence')
  answered(r, 9_000, 4_500)
  const { silentMs, idleMs } = r.choose(ask()).measured ?? {}
  expect(silentMs).toBeGreaterThan(90_000)
  expect(idleMs).toBeGreaterThan(45_000)
  expect(r.views()[0]?.silence).toEqual([{ model: 'm', answers: 20, silentMs, idleMs }])
})

it('measures what was given up as well', () => {
  const r = scene('https://models.test/v1')
  for (let i = 0; i < 40; i++) answered(r, 800, 200)
  const longest = { silentMs: 60_000, idleMs: null }
  r.tell(r.choose(ask()), { kind: 'unreachable', code: 'upstream-silent', longest })
  expect(r.views()[0]?.silence).toMatchObject([{ answers: 41, silentMs: 600_000, idleMs: 30_000 }])
})

it('shows no limit that does not count', () => {
  const r = scene('http://127.0.0.1:8080/v1')
  for (let i = 0; i < 40; i++) answered(r, 800, 200)
  expect(r.views()[0]).not.toHaveProperty('silence')
})

it('lets one rest at once that only pings, so that the next try goes elsewhere', () => {
  const r = routerScene(threeInOrder)
  const choice = r.choose(ask())
  const cut = { kind: 'answered', status: 200, headers: {}, body: null, ttfbMs: 9, brokenOff: true } as const
  r.tell(choice, cut)
  expect(targetOf(r.choose(ask()))).toBe(targetOf(choice))
  r.tell(choice, { ...cut, isMute: true })
  expect(targetOf(r.choose(ask()))).not.toBe(targetOf(choice))
})
