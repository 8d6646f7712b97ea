import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../shared/events.ts'
import { scene } from './fake/scene.ts'
import { mockMoment, noBrowser, startDashboard, type Dashboard } from './support/dashboard.ts'
import { unless } from '../../shared/testing/unless.ts'

const shapes = ['idle', 'working', 'held', 'done', 'needs', 'failed'] as const

describe('a thousand sessions, ten thousand events', unless(noBrowser), () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard({
      makeScene(now) {
        const small = scene(now)
        const [first] = small.sessions
        if (!first) throw new Error('the scene has sessions')
        const sessions = Array.from({ length: 1000 }, (_, i) => ({
          ...first,
          id: `s${i}`,
          name: `session-${i}`,
          terminalId: null,
          queue: [],
          stopMessage: null,
          shape: shapes[i % shapes.length] ?? 'idle',
          say: { code: 'idle' as const },
          lastActivityAt: now - i * 1000,
          startedAt: now - i * 1000,
        }))
        return { ...small, sessions, terminals: [] }
      },
    })
  })
  afterAll(async () => {
    await dashboard?.close()
  })
  const turn = (i: number): TimelineEvent[] => {
    const at = mockMoment - (2500 - i) * 4000
    const bodies: EventBody[] = [
      { type: 'turn-started', client: 'claude', entry: 'messages', kind: 'turn', model: null, retry: false },
      {
        type: 'turn-ended',
        turn: i,
        kind: 'turn',
        finish: 'stop',
        status: 200,
        usage: null,
        ttfbMs: null,
        durationMs: 900,
        route: null,
        tools: [],
        clientLeft: false,
      },
      { type: 'queued', entryId: `q${i}`, source: 'stopMessage', text: 'Go on with the next item.', round: i },
      { type: 'typed', entryId: `q${i}` },
    ]
    return bodies.map((body, o) => ({
      id: `${i}-${o}`,
      seq: i * 4 + o,
      at: at + o,
      sessionId: 's1',
      scope: null,
      requestId: o < 2 ? `r${i}` : null,
      body,
    }))
  }

  it('draws only what is on the screen, and reaches everything', async () => {
    const page = await dashboard.open({ place: 'session/s1' })
    await page.getByRole('heading', { name: 'session-1', exact: true }).waitFor()
    for (let i = 0; i < 2500; i++) for (const event of turn(i)) dashboard.engine.api.push({ type: 'event', event })
    await page.locator('.tl').getByText('Turn 2499').waitFor()
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
    expect(await nodes()).toBeLessThan(3000)
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80)
    await page.locator('#session-list').focus()
    await page.keyboard.press('End')
    await page.getByRole('treeitem', { selected: true }).waitFor()
    expect(await page.getByRole('treeitem', { selected: true }).getAttribute('aria-setsize')).toMatch(/^16[67]$/)
    await page.goBack()
    await page.locator('.tl').focus()
    await page.keyboard.press('End')
    await page.locator('.tl').getByText('Turn 0', { exact: true }).waitFor()
    expect(await nodes()).toBeLessThan(3000)
    expect(dashboard.complaints()).toEqual([])
  })
})
