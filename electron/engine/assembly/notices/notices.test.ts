import { expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { Notice } from '../../../../shared/state.ts'
import { passes } from '../../notifications/quiet.ts'
import { createNotices, quietOver } from './notices.ts'

function notices(hours: { needsYou: boolean; ownAlarms: boolean } | null) {
  const shown: Notice[] = []
  const published: Notice[] = []
  const outside: string[] = []
  const recorded: EventBody[] = []
  let id = 0
  const made = createNotices({
    host: {
      random: { uuid: () => `n${++id}` },
      notify: async (notice: Notice) => {
        shown.push(notice)
        return { kind: 'shown' }
      },
    } as never,
    language: () => 'en',
    nameOf: () => 'api',
    agentOf: () => 'codex',
    wanted: (kind) => kind !== 'limit',
    keeps: (fact) =>
      hours !== null &&
      fact.class !== 'quiet-over' &&
      !passes({ on: true, from: '22:00', to: '07:30', ...hours }, fact),
    record: (_where, body) => void recorded.push(body),
    publish: (notice) => void published.push(notice),
    outside: { tell: ({ fact }) => void outside.push(fact.class) },
  })
  return { ...made, shown, published, outside, recorded }
}
const where = { sessionId: 's1', scope: null }

it('in quiet hours nothing is shown, published or sent, and the timeline says why', () => {
  const { tell, shown, published, outside, recorded } = notices({ needsYou: false, ownAlarms: false })
  tell(where, { class: 'needs-you', what: 'permission' })
  tell(where, { class: 'alarm-due', at: 0, message: 'look', more: 0, own: true })
  // what is switched off is not kept either
  tell(where, { class: 'limit', provider: 'zai', change: 'reached', liftsAt: null })
  expect([shown, published, outside]).toEqual([[], [], []])
  expect(recorded).toEqual([
    { type: 'notified', class: 'needs-you', result: 'suppressed', why: 'quiet hours' },
    { type: 'notified', class: 'alarm-due', result: 'suppressed', why: 'quiet hours' },
    { type: 'notified', class: 'limit', result: 'suppressed', why: 'switched off' },
  ])
})

it('what a person lets through is told as ever', () => {
  const { tell, shown, outside } = notices({ needsYou: true, ownAlarms: true })
  tell(where, { class: 'needs-you', what: 'permission' })
  tell(where, { class: 'alarm-due', at: 0, message: 'look', more: 0, own: true })
  tell(where, { class: 'alarm-due', at: 0, message: 'of a model', more: 0 })
  expect(shown.map((notice) => notice.class)).toEqual(['needs-you', 'alarm-due'])
  expect(outside).toEqual(['needs-you', 'alarm-due'])
})

it('what came is one notice that names who still waits, and leads there when that is one', () => {
  const { tell, shown, outside } = notices({ needsYou: false, ownAlarms: false })
  const session = (id: string, shape: string) => ({ id, name: id, shape }) as never
  const over = { class: 'quiet-over', count: 3, classes: ['needs-you'] } as const
  tell(...quietOver(over, [session('a', 'idle'), session('b', 'needs')]))
  tell(...quietOver(over, [session('a', 'failed'), session('b', 'needs')]))
  expect(shown).toMatchObject([
    { class: 'quiet-over', sessionId: 'b', title: '3 notices came in quiet hours', body: 'b needs you' },
    { class: 'quiet-over', sessionId: null, body: 'a, b need you' },
  ])
  expect(outside).toEqual(['quiet-over', 'quiet-over'])
})

it('what another machine tells is shown here once, with its name, and without what would be done here', async () => {
  const { tell, passOn, shown, published, outside } = notices({ needsYou: true, ownAlarms: false })
  const from = (id: string, kind: Notice['class']) =>
    passOn({
      type: 'machine-notice',
      machine: 'box',
      notice: {
        id,
        class: kind,
        sessionId: 's1',
        title: 'api needs you',
        body: 'It asks.',
        actions: [{ id: 'go-on', label: 'Continue' }],
        machine: 'box',
      },
    })
  from('far', 'needs-you')
  // over a second line, or after another viewer sent it around
  from('far', 'needs-you')
  // switched off here; quiet hours
  from('far-limit', 'limit')
  from('far-alarm', 'alarm-due')
  expect(published).toMatchObject([{ id: 'far', machine: 'box', title: 'box: api needs you', actions: [] }])
  expect(shown).toEqual(published)
  // the machine has sent it to its own places
  expect(outside).toEqual([])
  // its own, which an engine that looks at this one hands back
  tell(where, { class: 'needs-you', what: 'permission' })
  from(shown.at(-1)?.id ?? '', 'needs-you')
  expect(shown).toHaveLength(2)
})
