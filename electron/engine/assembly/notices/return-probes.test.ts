import { expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createReturnProbes } from './return-probes.ts'

const second = 1_000

function bench() {
  const clock = virtualClock()
  const start = clock.now()
  const asked: [string, number][] = []
  const answered: string[] = []
  const world = { up: new Set<string>(), restsUntil: null as number | null, throws: false }
  const probes = createReturnProbes({
    clock,
    log: silentLog,
    async ask(provider, model) {
      asked.push([`${provider}.${model}`, (clock.now() - start) / second])
      if (world.throws) throw new Error('no transport')
      return world.up.has(`${provider}.${model}`)
    },
    restsUntil: () => world.restsUntil,
    answered(target) {
      answered.push(target)
      probes.want('recover', new Set())
    },
  })
  const times = (target: string) => asked.flatMap(([one, at]) => (one === target ? [at] : []))
  return { clock, asked, answered, world, probes, times }
}

it('asks after 15, 30 and then every 45 seconds, whoever waits, until it answers or nobody waits', async () => {
  const { clock, answered, world, probes, times } = bench()
  probes.want('recover', new Set(['zai.glm']))
  await clock.advance(10 * second)
  probes.want('outages', new Set(['zai.glm']))
  await clock.advance(170 * second)
  expect(times('zai.glm')).toEqual([15, 45, 90, 135, 180])
  world.throws = true
  await clock.advance(45 * second)
  world.throws = false
  world.up.add('zai.glm')
  probes.want('outages', new Set())
  await clock.advance(45 * second)
  expect([times('zai.glm').at(-1), answered]).toEqual([270, ['zai.glm']])
  await clock.advance(600 * second)
  expect(times('zai.glm')).toHaveLength(7)
  expect(clock.pending()).toBe(0)
})

it('asks one provider 15 seconds apart at the least, for however many models, and another beside it', async () => {
  const { clock, asked, probes, times } = bench()
  probes.want('recover', new Set(['zai.a', 'zai.b', 'zai.c', 'kimi.k2']))
  await clock.advance(300 * second)
  const ofZai = asked.filter(([target]) => target.startsWith('zai.')).map(([, at]) => at)
  expect(ofZai.every((at, n) => n === 0 || at - (ofZai[n - 1] ?? 0) >= 15)).toBe(true)
  for (const target of ['zai.a', 'zai.b', 'zai.c']) expect(times(target).length).toBeGreaterThan(4)
  expect(times('kimi.k2')).toEqual([15, 45, 90, 135, 180, 225, 270])
})

it('leaves a provider alone until the time that it named', async () => {
  const { clock, world, probes, times } = bench()
  world.restsUntil = clock.now() + 120 * second
  probes.want('recover', new Set(['zai.glm']))
  await clock.advance(130 * second)
  expect(times('zai.glm')).toEqual([120])
})

it('asks soon after a sleep in which the time that the provider named has come', async () => {
  const { clock, world, probes, asked } = bench()
  world.restsUntil = clock.now() + 3 * 3_600 * second
  probes.want('recover', new Set(['zai.glm']))
  await clock.advance(600 * second)
  clock.sleep(2 * 3_600 * second)
  await clock.advance(60 * second)
  expect(asked).toEqual([])
  clock.sleep(3_600 * second)
  await clock.advance(15 * second)
  expect(asked).toHaveLength(1)
})
