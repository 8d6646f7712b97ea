import { describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { systemRandom } from '../base/ids.ts'
import { createHeldMarkers } from './held-markers.ts'
import { createSessionStore } from './session-store.ts'
import { machine } from './testing/machine.ts'

async function scene() {
  const on = machine()
  const parts = (store: typeof on.store) => {
    const sessions = createSessionStore({ store, clock: on.clock, log: silentLog })
    return { sessions, held: createHeldMarkers({ sessions, clock: on.clock, random: systemRandom(), log: silentLog }) }
  }
  const first = parts(on.store)
  await first.sessions.open('s1', { client: 'codex' })
  return { ...on, ...first, restart: () => parts(on.newStore()) }
}
const marker = '<**sm:"x"**>'

describe('markers that wait for a word', () => {
  it('are on the disk when they are offered, and gone when they are removed', async () => {
    const { held, restart } = await scene()
    const [id] = await held.add('s1', [{ marker, why: 'in-paste' }])
    const later = restart()
    await later.sessions.open('s1', { client: 'codex' })
    expect(later.held.get('s1', id ?? '')).toMatchObject({ id, marker, why: 'in-paste' })
    await later.held.remove('s1', id ?? '')
    expect(() => later.held.get('s1', id ?? '')).toThrow(expect.objectContaining({ code: 'marker-unknown' }))
    const last = restart()
    await last.sessions.open('s1', { client: 'codex' })
    expect(last.sessions.get('s1')?.heldMarkers).toEqual([])
  })
  it('are few: the same one is one question, the oldest gives way, one that is too long is not kept', async () => {
    const { held, sessions } = await scene()
    await held.add('s1', [{ marker, why: 'in-paste' }])
    await held.add('s1', [{ marker, why: 'quoted' }])
    expect(sessions.get('s1')?.heldMarkers.map(({ why }) => why)).toEqual(['quoted'])
    const nine = Array.from({ length: 9 }, (_, i) => ({ marker: `<**sm:${i + 1}**>`, why: 'in-paste' as const }))
    expect((await held.add('s1', nine)).map((id) => id !== null)).toEqual([false, ...Array(8).fill(true)])
    expect(sessions.get('s1')?.heldMarkers.map((one) => one.marker)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `<**sm:${n}**>`),
    )
    expect(await held.add('s1', [{ marker: `<**sm:"${'x'.repeat(20_000)}"**>`, why: 'in-paste' }])).toEqual([null])
  })
  it('that can’t be written are not offered, and the turn goes on', async () => {
    const { held, sessions, files } = await scene()
    files.fail('ENOSPC', 'writeAtomic')
    expect(await held.add('s1', [{ marker, why: 'in-paste' }])).toEqual([null])
    expect(sessions.get('s1')?.heldMarkers).toEqual([])
  })
})
