import { describe, expect, it } from 'vitest'
import { markerHeldWhys } from '../events.ts'
import { languages, type Language } from '../words.ts'
import { sentencesOf } from './index.ts'
import {
  bodies,
  budgets,
  checks,
  clearers,
  dones,
  fails,
  finishes,
  holds,
  kinds,
  needs,
  notices,
  outsideFailures,
  outsideStates,
  noticeKinds,
  outboxes,
  pauses,
  says,
  shapes,
  skips,
  sources,
} from './testing/variants.ts'

const at = Date.UTC(2026, 10, 21, 13, 12)
const event = (body: (typeof bodies)[number]) => ({
  id: 'x',
  seq: 1,
  at,
  sessionId: 's',
  scope: null,
  requestId: null,
  body,
})

/** Everything a language can say, with what it is about. */
function everything(language: Language): { about: string; text: string }[] {
  const s = sentencesOf(language)
  const line = (about: unknown, text: string) => ({ about: JSON.stringify(about), text })
  return [
    ...bodies.map((body) => line(body, s.event(event(body)))),
    ...says.flatMap((said) => [line(said, s.say(said, 38_000)), line(said, s.lastSeen(said))]),
    ...needs.map((what) => line(what, s.need(what))),
    ...holds.flatMap((reason) => [line(reason, s.hold(reason)), line(reason, s.holdNext(reason))]),
    ...skips.map((reason) => line(reason, s.skip(reason))),
    ...fails.map((reason) => line(reason, s.fail(reason))),
    ...pauses.map((reason) => line(reason, s.pause(reason))),
    ...dones.map((reason) => line(reason, s.done(reason))),
    ...clearers.map((by) => line(by, s.cleared(by))),
    ...markerHeldWhys.map((why) => line(why, s.markerHeld(why))),
    ...budgets.map((kind) => line(kind, s.budget(kind, 8))),
    ...checks.flatMap((check) =>
      [true, false].flatMap((ok) => [
        line([check, ok], s.step({ check, ok })),
        line([check, ok], s.step({ check, ok, detail: 'pty:3' })),
      ]),
    ),
    ...kinds.flatMap((kind) => [line(kind, s.turn(7, kind)), line(kind, s.turn(null, kind))]),
    ...finishes.flatMap((finish) => [line(finish, s.ended(finish)), line(finish, s.finish(finish))]),
    ...shapes.map((shape) => line(shape, s.shape(shape))),
    ...outboxes.map((state) => line(state, s.outbox(state))),
    ...sources.map((from) => line(from, s.source(from))),
    ...noticeKinds.map((kind) => line(kind, s.noticeClass(kind))),
    ...(['before', 'copy', 'nothing'] as const).map((kind) => line(kind, s.meanwhile(kind))),
    ...notices.flatMap((fact) => [line(fact, s.notice(fact).title), line(fact, s.notice(fact).body)]),
    ...(['reached', 'lifted', 'back'] as const).map((change) =>
      line(['limit', change], s.notice({ class: 'limit', provider: 'zai', change, liftsAt: null }).body),
    ),
    ...[
      { working: 0, paused: false },
      { working: 4, paused: false },
      { working: 4, paused: true },
    ].map((now) => line(now, s.tray.status({ host: '127.0.0.1', port: 5520, ...now }))),
    ...[
      { working: 0, needsYou: 0, paused: false },
      { working: 1, needsYou: 0, paused: false },
      { working: 1, needsYou: 2, paused: false },
      { working: 1, needsYou: 0, paused: true },
    ].map((now) => line(now, s.tray.tooltip(now))),
    line('tray session', s.tray.session('api', 'needs', { code: 'needs-you', what: 'permission' }, 0)),
    line('more', s.tray.more(3)),
    ...[0, 86_400_000].flatMap((now) => [line('next alarm', s.tray.nextAlarm(0, 'run it', now))]),
    ...[1, 2].map((count) => line('missed alarms', s.tray.missedAlarms(count))),
    ...outsideFailures.map((why) => line(why, s.outside.failure(why))),
    ...outsideStates.map((state) => line(state, s.outside.state(state))),
    ...[s.outside.test.title, s.outside.test.body, s.outside.several(4), s.outside.more(4)].map((text) =>
      line('outside', text),
    ),
    ...Object.entries(s.tray).flatMap(([name, word]) => (typeof word === 'string' ? [line(name, word)] : [])),
  ]
}

describe.each(languages)('sentences in %s', (language) => {
  it('say something about every variant, without a hole in it', () => {
    const holes = everything(language).filter(
      ({ text }) => text.trim() === '' || /undefined|null|NaN|\[object|\$\{/.test(text),
    )
    expect(holes).toEqual([])
  })

  it('keep the tone: no exclamation mark, no please, no double space inside', () => {
    const loud = everything(language).filter(
      ({ text }) => /[!！]|\bplease\b|\boops\b|请(?!求)/i.test(text.replace(/“[^”]*”/g, '')) || /\S {3,}\S/.test(text),
    )
    expect(loud).toEqual([])
  })

  it('end no line of the timeline with a full stop, so that “Why” follows it', () => {
    expect(
      bodies.map((body) => sentencesOf(language).event(event(body))).filter((text) => /[.。]$/.test(text)),
    ).toEqual([])
  })
})

describe('Chinese typography', () => {
  const said = everything('zh-CN').map(({ about, text }) => ({ about, text: text.replace(/“[^”]*”/g, '“”') }))

  it('puts a space between Han and Latin or figures', () => {
    expect(said.filter(({ text }) => /\p{Script=Han}[A-Za-z0-9$<`]|[A-Za-z0-9%>`]\p{Script=Han}/u.test(text))).toEqual(
      [],
    )
  })

  it('uses full-width punctuation beside Han', () => {
    expect(said.filter(({ text }) => /\p{Script=Han}\s*[,.;:?!()]|[,;?!()]\s*\p{Script=Han}/u.test(text))).toEqual([])
  })

  it('puts no space beside full-width punctuation', () => {
    expect(said.filter(({ text }) => / [，。：；？！）”]|[，。：；？！（“] /u.test(text))).toEqual([])
  })

  it('is Chinese: every sentence of states and reasons has Han in it', () => {
    const s = sentencesOf('zh-CN')
    const latin = [
      ...holds.map(s.hold),
      ...skips.map(s.skip),
      ...fails.map(s.fail),
      ...says.map((say) => s.say(say, 0)),
      ...dones.map(s.done),
    ].filter((text) => !/\p{Script=Han}/u.test(text))
    expect(latin).toEqual([])
  })
})

/** The table of the design hand-off, as far as its states exist. */
describe('the sentence table of the design', () => {
  const en = sentencesOf('en')
  const zh = sentencesOf('zh-CN')
  it.each([
    ['1', en.say({ code: 'working', turn: 42, since: 0 }, 38_000), 'Turn 42 running for 38 s'],
    ['1', zh.say({ code: 'working', turn: 42, since: 0 }, 38_000), '第 42 回合，已运行 38 秒'],
    ['2', en.need('permission: docker compose up'), 'Asks to run “docker compose up”'],
    ['2', zh.need('permission: docker compose up'), '想运行“docker compose up”，等你批准'],
    ['3', en.hold({ code: 'draft' }), 'Held: you are in the middle of a line'],
    ['3', zh.hold({ code: 'typing' }), '你正在输入，先不打断'],
    ['5', en.say({ code: 'awaiting-receipt' }, 0), 'Followup typed, waiting for its receipt'],
    ['5', zh.say({ code: 'awaiting-receipt' }, 0), '下一句已替你输入，等待回执'],
    [
      '6',
      en.event(event({ type: 'confirmed', entryId: 'e', late: false, afterMs: 1400 })),
      'Confirmed by the next request after 1.4 s',
    ],
    ['6', zh.event(event({ type: 'confirmed', entryId: 'e', late: false, afterMs: 1400 })), '已送达，1.4 秒后收到回执'],
    ['7', en.fail({ code: 'terminal-gone', why: 'pane closed' }), 'Not typed: the tmux pane is gone'],
    ['7', zh.fail({ code: 'terminal-gone', why: 'pane closed' }), '没能输入：tmux 窗格已关闭'],
    [
      '8',
      en.skip({ code: 'not-a-plain-stop', finish: 'tool-calls' }),
      'Did not fire: the agent called a tool, so it is not finished',
    ],
    ['8', zh.skip({ code: 'not-a-plain-stop', finish: 'tool-calls' }), '未触发：代理还在调用工具，活没干完'],
    ['9', en.skip({ code: 'not-a-turn', kind: 'compaction' }), 'Did not fire: a compaction is not a turn'],
    ['9', zh.skip({ code: 'not-a-turn', kind: 'compaction' }), '未触发：这是在压缩历史，不算一个回合'],
    ['12', en.pause({ code: 'budget', budget: 'no-progress', limit: 5 }), 'Paused to ask: 5 rounds without progress'],
    ['12', en.pause({ code: 'budget', budget: 'time', limit: 8 }), 'Paused to ask: it has gone on for 8 h'],
    ['12', zh.pause({ code: 'budget', budget: 'no-progress', limit: 5 }), '连续 5 轮没有进展，先停下来问你'],
    ['list', en.say({ code: 'paused', reason: { code: 'by-user' }, waiting: 2 }, 0), 'Paused by you, 2 followups wait'],
    ['list', en.done({ code: 'rounds-used', used: 10, max: 10 }), 'All 10 rounds used'],
    [
      'timeline',
      en.event(event({ type: 'matched', steps: [], used: 11, max: 30 })),
      'Fired: the agent stopped and round 12 of 30 was free',
    ],
    [
      'tray',
      en.tray.status({ host: '127.0.0.1', port: 5520, working: 4, paused: false }),
      'Engine on 127.0.0.1:5520, 4 working',
    ],
  ])('%s: %s', (_row, said, expected) => expect(said).toBe(expected))
})
