/** What a marker's `file://` may read: goals, and nothing else that Onward could. */
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { bodyOf, chatEntry, providersFor } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import { startMockUpstream, type MockUpstream } from '../support/mock-upstream/index.ts'
import { post } from '../support/post.ts'

let mock: MockUpstream
let engine: EngineForTest
beforeAll(async () => {
  mock = await startMockUpstream()
  // Whatever is armed would go to the provider at once.
  engine = await startEngineForTest({
    ...providersFor(mock, 'sk-upstream', [chatEntry]),
    stopMessage: { delivery: 'reenter' },
  })
})
afterAll(async () => {
  await engine?.dispose()
  await mock?.dispose()
  removeHomes()
})

let sessions = 0
async function told(marker: string) {
  const session = `s-${++sessions}`
  const { status } = await post(engine, chatEntry.path, bodyOf(chatEntry, [`Go ${marker}`]), {
    headers: { 'session-id': session },
  })
  expect(status).toBe(200)
  return waitFor('what became of the marker', () =>
    engine.control.events
      .filter((event) => event.sessionId === session)
      .map(({ body }) => body)
      .find(({ type }) => type === 'marker-applied' || type === 'marker-refused' || type === 'marker-held'),
  )
}

it('the home’s own secrets are never a goal: neither by name, nor by a link or a second name', async () => {
  const token = readFileSync(join(engine.home, 'control-token'), 'utf8').trim()
  const goals = join(engine.home, 'goals')
  mkdirSync(goals, { recursive: true })
  symlinkSync('../control-token', join(goals, 'link.md'))
  symlinkSync('..', join(goals, 'up'))
  linkSync(join(engine.home, 'control-token'), join(goals, 'second.md'))
  const ways = ['control-token', 'config.json', 'goals/../control-token', 'goals/link.md', 'goals/up/control-token']
  for (const way of [...ways, 'goals/second.md', '.onward/goals/a.md'])
    expect(await told(`<**sm:<file://${way}>,1,ai:off**>`)).toMatchObject({
      type: 'marker-refused',
      code: expect.stringMatching(/^(bad-path|file-outside|file-unreadable)$/),
    })
  expect(mock.requests).toHaveLength(7)
  for (const { body } of mock.requests) expect(body.toString()).not.toContain(token)
})

it('a file below goals/ is one, once a person has looked at what it says', async () => {
  const file = join(engine.home, 'goals', 'deep', 'ship.md')
  mkdirSync(join(engine.home, 'goals', 'deep'), { recursive: true })
  writeFileSync(file, '\nShip the shop.\n')
  const marker = '<**stopMessage:<file://goals/deep/ship.md>,1**>'
  const followups = () => mock.requests.filter(({ lastUserText }) => lastUserText?.startsWith('Ship')).length
  const waiting = async () => (await engine.control.api.session.query(`s-${sessions}`)).heldMarkers ?? []
  const apply = async () =>
    engine.control.api.applyMarker.mutate({ session: `s-${sessions}`, marker: (await waiting())[0]?.id ?? '' })

  expect(await told(marker)).toMatchObject({ type: 'marker-held', why: 'new-file' })
  expect(await waiting()).toMatchObject([{ marker, why: 'new-file', goal: 'Ship the shop.' }])
  // What it says by now is not what the person looked at.
  writeFileSync(file, 'Ship the keys.')
  await expect(apply()).rejects.toThrow(/reads otherwise by now/)
  expect(await waiting()).toMatchObject([{ goal: 'Ship the keys.' }])
  writeFileSync(file, 'Ship the shop.')
  // That content was looked at, before.
  expect((await apply()).stopMessage).toMatchObject({ text: 'Ship the shop.', max: 1 })
  expect([await waiting(), followups()]).toEqual([[], 0])

  expect(await told(marker)).toMatchObject({ type: 'marker-applied' })
  await waitFor('the followup', () => followups() === 1)
  await engine.stop()
  engine = await engine.restart()
  expect(await told(marker)).toMatchObject({ type: 'marker-applied' })
  writeFileSync(file, 'Ship the keys, too.')
  expect(await told(marker)).toMatchObject({ type: 'marker-held', why: 'new-file' })
})
