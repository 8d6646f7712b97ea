import { describe, expect, it } from 'vitest'
import { mostOfHistory, described, failed, leftOut } from './describe-images.ts'
import { picture, visionWorld } from './testing/world.ts'

const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`)

describe('what stands in the place of an image', () => {
  it('is what a model said of it, which is asked once', async () => {
    const world = visionWorld()
    const first = await world.describe([picture('cat')], true)
    expect(first).toEqual({
      texts: new Map([['#cat', described('seen cat, 1')]]),
      described: 1,
      by: ['eye.m'],
      leftOut: 0,
      failures: [],
    })
    const later = await world.describe([picture('cat', false)], true)
    expect(later).toEqual({ texts: first.texts, described: 0, by: [], leftOut: 0, failures: [] })
    expect(world.shown()).toEqual(['cat'])
  })
  it('is the same after a restart', async () => {
    const world = visionWorld()
    const { texts } = await world.describe([picture('cat'), picture('dog')], true)
    world.restart()
    expect((await world.describe([picture('dog', false), picture('cat')], true)).texts).toEqual(texts)
    expect(world.asked).toHaveLength(2)
  })
  it('is told with what the person said', async () => {
    const world = visionWorld()
    await world.describe(
      [picture('cat', true, ' why is it red? '), picture('dog', true, 'x'.repeat(5_000)), picture('cow', true, ' ')],
      true,
    )
    const [cat, dog, cow] = world.asked.map(({ text }) => text)
    expect(cat).toContain('why is it red?')
    expect(dog?.length).toBeLessThan(1_200)
    expect(cow).toBe('Describe this image.')
  })
  it('is one text for a picture that comes twice, in one request and in two at once', async () => {
    const world = visionWorld()
    world.takes(500)
    const both = Promise.all([
      world.describe([picture('cat', false), picture('cat')], true),
      world.describe([picture('cat')], true),
    ])
    await world.clock.advance(600)
    const [one, two] = await both
    expect(one.texts).toEqual(two.texts)
    expect(world.shown()).toEqual(['cat'])
  })
  it('comes of no more than four models at once', async () => {
    const world = visionWorld()
    world.takes(1_000)
    const describing = world.describe(
      names(20).map((name) => picture(name)),
      true,
    )
    await world.clock.advance(5_000)
    expect((await describing).described).toBe(20)
    expect(world.mostAtOnce()).toBe(4)
  })
  it('is cut where a model never ends, and never in the middle of a sign', async () => {
    const world = visionWorld()
    const long = '🐈'.repeat(20_000)
    const { texts } = await world.describe([picture(`${long}`)], true)
    const text = texts.get(`#${long}`) ?? ''
    expect(text).toContain('was cut here')
    expect(Buffer.from(text).toString()).toBe(text)
    expect(text.length).toBeLessThan(17_000)
  })
})

describe('images of the history', () => {
  it('are described, the newest first, and those before them are left out for good', async () => {
    const world = visionWorld()
    const all = names(20).map((name) => picture(name, false))
    const first = await world.describe(all, true)
    expect(world.shown()).toEqual(names(20).slice(-mostOfHistory).reverse())
    expect(first).toMatchObject({ described: mostOfHistory, leftOut: 20 - mostOfHistory, failures: [] })
    expect(first.texts.get('#p0')).toBe(leftOut)
    world.restart()
    const again = await world.describe(all, true)
    expect(again.texts).toEqual(first.texts)
    expect(again).toMatchObject({ described: 0, leftOut: 0 })
    expect(world.asked).toHaveLength(mostOfHistory)
  })
  it('that were left out are described when they are asked about', async () => {
    const world = visionWorld()
    const all = names(20)
    await world.describe(
      all.map((name) => picture(name, false)),
      true,
    )
    expect((await world.describe([picture('p0')], true)).texts.get('#p0')).toBe(
      described(`seen p0, ${mostOfHistory + 1}`),
    )
    expect((await world.describe([picture('p0', false)], true)).texts.get('#p0')).toBe(
      described(`seen p0, ${mostOfHistory + 1}`),
    )
  })
  it('take no place from what is asked', async () => {
    const world = visionWorld()
    const outcome = await world.describe(
      [...names(20).map((name) => picture(name, false)), ...['a', 'b', 'c'].map((name) => picture(name))],
      true,
    )
    expect(world.shown().slice(0, 3)).toEqual(['a', 'b', 'c'])
    expect(outcome.described).toBe(mostOfHistory + 3)
  })
})

describe('an image that can’t be described', () => {
  it('gives way to a note with the reason, and the others are described', async () => {
    const world = visionWorld()
    world.fails('dog', 'eye.m refused with status 400')
    const outcome = await world.describe([picture('cat'), picture('dog')], true)
    expect(outcome.texts.get('#dog')).toBe(failed('eye.m refused with status 400.'))
    expect(outcome).toMatchObject({
      described: 1,
      by: ['eye.m'],
      failures: [{ code: 'vision-refused', message: 'eye.m refused with status 400.' }],
    })
    expect(outcome.texts.get('#cat')).toContain('seen cat')
  })
  it('is not asked for in each round that follows, and reads the same there', async () => {
    const world = visionWorld()
    world.fails('dog', 'no')
    const { texts } = await world.describe([picture('dog')], true)
    world.fails('dog', null)
    for (let round = 0; round < 5; round++)
      expect(await world.describe([picture('dog', false)], true)).toMatchObject({ texts, failures: [] })
    expect(world.asked).toHaveLength(1)
    await world.clock.advance(10 * 60_000)
    expect((await world.describe([picture('dog', false)], true)).texts.get('#dog')).toBe(described('seen dog, 2'))
  })
  it('is asked for again with a new question', async () => {
    const world = visionWorld()
    world.fails('dog', 'no')
    await world.describe([picture('dog')], true)
    world.fails('dog', null)
    expect((await world.describe([picture('dog')], true)).texts.get('#dog')).toBe(described('seen dog, 2'))
  })
  it('is one that only its vendor can open', async () => {
    const world = visionWorld()
    const outcome = await world.describe(
      [
        { ...picture('f'), source: () => ({ kind: 'id', of: 'messages', id: 'file_1' }) },
        { ...picture('g'), source: () => null },
      ],
      true,
    )
    expect(outcome.failures.map(({ code }) => code)).toEqual(['image-unreadable', 'image-unreadable'])
    expect(world.asked).toEqual([])
  })
  it('is one that nothing was said of', async () => {
    const world = visionWorld()
    world.saysNothingOf('cat')
    expect((await world.describe([picture('cat')], true)).failures).toEqual([
      { code: 'no-description', message: 'eye.m said nothing of it.' },
    ])
  })
  it('is one that breaks what describes it', async () => {
    const world = visionWorld()
    const broken = {
      ...picture('x'),
      source: () => {
        throw new TypeError('boom')
      },
    }
    expect(await world.describe([broken, picture('cat')], true)).toMatchObject({
      described: 1,
      failures: [{ code: 'internal', message: 'boom.' }],
    })
  })
  it('is one the client would wait too long for; the next request finds it', async () => {
    const world = visionWorld()
    world.takes(200_000)
    const describing = world.describe([picture('cat')], true)
    await world.clock.advance(120_000)
    const outcome = await describing
    expect(outcome.texts.get('#cat')).toBe(failed('It took too long.'))
    expect(outcome.failures).toEqual([{ code: 'timed-out', message: 'It took too long.' }])
    await world.clock.advance(100_000)
    expect((await world.describe([picture('cat', false)], true)).texts.get('#cat')).toBe(described('seen cat, 1'))
    expect(world.clock.pending()).toBe(0)
  })
})

describe('where no model is asked', () => {
  it('known images have their words, and others go without', async () => {
    const world = visionWorld()
    const { texts } = await world.describe([picture('cat')], true)
    const outcome = await world.describe([picture('cat'), picture('dog')], false)
    expect(outcome).toEqual({
      texts: new Map([...texts, ['#dog', leftOut]]),
      described: 0,
      by: [],
      leftOut: 0,
      failures: [],
    })
    expect((await world.describe([picture('dog', false)], true)).described).toBe(1)
  })
  it('because no route is for images, the reason is told with each question', async () => {
    const world = visionWorld()
    world.withoutRoute()
    expect(world.tool().problem()).toBe('No model is in the route “vision”.')
    const outcome = await world.describe([picture('cat'), picture('old', false)], true)
    expect(outcome.texts.get('#cat')).toBe(failed('No model is in the route “vision”.'))
    expect(outcome.failures).toEqual([{ code: 'no-vision-route', message: 'No model is in the route “vision”.' }])
    expect((await world.describe([picture('cat', false)], true)).failures).toEqual([])
    expect(world.asked).toEqual([])
  })
})
