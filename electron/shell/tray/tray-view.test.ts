import { describe, expect, it } from 'vitest'
import {
  sampleSession,
  sampleStatus,
  sampleTerminal,
  sceneTime,
} from '../../engine/control/testing/fake-control-api.ts'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { MachineState } from '../../../shared/machines.ts'
import type { ShellState } from '../../../shared/commands/shell-calls.ts'
import type { UpdateRequest } from '../../../shared/updates.ts'
import type { ProviderView } from '../../../shared/routing.ts'
import type { HoldReason } from '../../../shared/events.ts'
import type { EngineStatus, SessionView } from '../../../shared/state.ts'
import { languages, sessionShapes } from '../../../shared/words.ts'
import { trayIconPath } from './icons.ts'
import { noPicture, pictureAfter, type Picture } from './picture.ts'
import { trayMenu, type TrayAction } from './tray-menu.ts'
import { trayIcons, trayView } from './tray-view.ts'

const picture = (sessions: Partial<SessionView>[] = [], status: Partial<EngineStatus> = {}): Picture =>
  pictureAfter(noPicture('en'), {
    type: 'snapshot',
    status: sampleStatus(status),
    terminals: [],
    sessions: sessions.map((more, i) =>
      sampleSession({ id: `s${i}`, name: `name-${i}`, lastActivityAt: sceneTime - i, ...more }),
    ),
  })
const view = (...args: Parameters<typeof picture>) => trayView(picture(...args), sceneTime)
const sampleProvider = (id: string): ProviderView => ({
  id,
  type: 'openai-chat',
  baseUrl: null,
  auth: 'key',
  models: [],
  keys: [],
  health: { kind: 'healthy' },
  quotas: [],
  calls: [],
  ttfbMs: null,
  sessions: 0,
  routes: [],
  local: false,
})
const needs: Partial<SessionView> = {
  shape: 'needs',
  say: { code: 'needs-you', what: 'permission: docker compose up' },
}
const failed: Partial<SessionView> = {
  shape: 'failed',
  say: { code: 'failed', reason: { code: 'terminal-gone', why: 'closed' } },
}
const working: Partial<SessionView> = { shape: 'working' }
const retrying = {
  code: 'retrying',
  provider: 'zai',
  status: 529,
  message: '',
  tries: 3,
  since: 1,
  tried: [],
} as const
const nearLimit: HoldReason = { code: 'near-limit', provider: 'zai', window: '5h', usedPercent: 92, at: 1, until: 2 }

describe('the tray’s icon', () => {
  it.each<[string, Parameters<typeof picture>]>([
    ['error', [[needs, working], { configProblem: 'line 3', paused: true }]],
    ['needs-you', [[working, needs], { paused: true }]],
    ['needs-you', [[working, failed]]],
    ['paused', [[working], { paused: true }]],
    ['working', [[{ shape: 'idle' }, working]]],
    ['working', [[{ shape: 'held' }]]],
    ['idle', [[{ shape: 'idle' }, { shape: 'done' }, { shape: 'gone' }, { shape: 'paused' }]]],
    ['idle', [[{ shape: 'held', say: { code: 'limited', provider: 'zai', since: 1, lifts: null, resumeAt: null } }]]],
    ['idle', [[{ shape: 'held', say: { code: 'held', reason: nearLimit } }]]],
    ['idle', [[]]],
  ])('%s, by priority', (icon, args) => {
    expect(view(...args).icon).toBe(icon)
  })

  it.each([
    ['error', { health: { kind: 'failing', count: 3, since: 1, failure: '529' } }, { shape: 'needs', say: retrying }],
    [
      'idle',
      { health: { kind: 'failing', count: 3, since: 1, failure: '529' } },
      { shape: 'held', say: { ...retrying, tries: 1 } },
    ],
    ['needs-you', { health: { kind: 'healthy' } }, { shape: 'needs', say: retrying }],
  ] as const)('%s while a provider is %j and a session %j', (icon, provider, session) => {
    const providers = [{ ...sampleProvider('zai'), ...provider }]
    expect(trayView({ ...picture([session]), providers }, sceneTime).icon).toBe(icon)
  })

  it('error without an engine, told in the language it had', () => {
    expect(trayView({ ...picture(), status: null, language: 'zh-CN' }, sceneTime)).toMatchObject({
      icon: 'error',
      status: '引擎没有运行',
      live: false,
      language: 'zh-CN',
    })
  })

  it.each([
    ['en', 1, 'Finishing 1 answer'],
    ['en', 3, 'Finishing 3 answers'],
    ['zh-CN', 3, '正在完成 3 个回答'],
  ] as const)('stays while the engine ends, which is told in %s with %i answers', (language, answers, told) => {
    expect(view([working], { language, finishing: { answers, until: sceneTime } })).toMatchObject({
      icon: 'working',
      status: told,
      tooltip: told,
    })
  })

  it.each(trayIcons)('%s has a file for every system and panel', (icon) => {
    const folder = resolve(import.meta.dirname, '../../../build/icons')
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const dark of [true, false]) {
        const path = trayIconPath(folder, icon, { platform, dark, desktop: '' })
        expect(existsSync(path), path).toBe(true)
        if (platform !== 'win32') expect(existsSync(path.replace('.png', '@2x.png')), path).toBe(true)
      }
  })

  it.each(trayIcons)('%s has the size that panels take, and black alone where macOS paints it', async (icon) => {
    const folder = resolve(import.meta.dirname, '../../../build/icons')
    const sizeOf = (name: string) => {
      const png = readFileSync(resolve(folder, name))
      return [png.readUInt32BE(16), png.readUInt32BE(20)]
    }
    for (const [name, size] of [
      [`tray-${icon}Template`, 16],
      [`tray-${icon}-light`, 22],
      [`tray-${icon}-dark`, 22],
    ] as const) {
      expect(sizeOf(`${name}.png`), name).toEqual([size, size])
      expect(sizeOf(`${name}@2x.png`), name).toEqual([2 * size, 2 * size])
    }
    const svg = readFileSync(resolve(folder, `tray-${icon}.svg`), 'utf8')
    expect(new Set(svg.match(/#[\da-f]{3,8}/gi))).toEqual(new Set(['#000']))
  })

  it('is a template on macOS, an .ico on Windows, and suits GNOME’s dark bar', () => {
    expect(trayIconPath('i', 'idle', { platform: 'darwin', dark: true, desktop: '' })).toMatch(
      /tray-idleTemplate\.png$/,
    )
    expect(trayIconPath('i', 'idle', { platform: 'win32', dark: false, desktop: '' })).toMatch(/tray-idle-light\.ico$/)
    expect(trayIconPath('i', 'idle', { platform: 'linux', dark: false, desktop: 'ubuntu:GNOME' })).toMatch(
      /tray-idle-dark\.png$/,
    )
    expect(trayIconPath('i', 'idle', { platform: 'linux', dark: false, desktop: 'KDE' })).toMatch(
      /tray-idle-light\.png$/,
    )
  })
})

describe('the tray’s menu', () => {
  const menu = (...args: Parameters<typeof picture>) => {
    const did: TrayAction[] = []
    const items = trayMenu(view(...args), (action) => did.push(action))
    return { items, did, labels: items.map((item) => item.label ?? '—') }
  }

  it('reads as the design shows it', () => {
    expect(menu([needs, failed, working, working]).labels).toEqual([
      'Engine on 127.0.0.1:5520, 2 working',
      '—',
      '◆ name-0: asks to run “docker compose up”',
      expect.stringMatching(/^▲ name-1: /),
      '—',
      'Pause all',
      'New terminal…',
      'Copy base URL',
      '—',
      'Open dashboard',
      'Settings…',
      'Check for updates',
      '—',
      'Quit',
    ])
  })

  it('tells the limits after the sessions that need you, what lifts first before the others, three at most', () => {
    const at = (provider: string, lifts: number | null) => ({ provider, since: sceneTime, lifts, resuming: 0 })
    const limits = [
      at('slow', sceneTime + 9_000_000),
      at('silent', null),
      at('R&D', sceneTime + 60_000),
      at('next', sceneTime + 120_000),
    ]
    const { labels, items, did } = menu([needs], { limits })
    expect(labels.slice(2, 9)).toEqual([
      '◆ name-0: asks to run “docker compose up”',
      '—',
      expect.stringMatching(/^R&&D: limit reached, lifts at \d\d:\d\d$/),
      expect.stringMatching(/^next: /),
      expect.stringMatching(/^slow: /),
      '—',
      'Pause all',
    ])
    items[4]?.click?.call(items[4], {} as never, undefined, {} as never)
    expect(did).toEqual([{ kind: 'open', place: { kind: 'providers' } }])
  })

  it('names who fails and since when before the limits, the longest first; it leads to the providers', () => {
    const failing = { kind: 'failing', count: 3, since: sceneTime, failure: '503' } as const
    const rest = { why: 'refused', status: 401, until: sceneTime + 300_000 } as const
    const providers = [
      { ...sampleProvider('late'), health: failing, failingSince: sceneTime - 60_000 },
      { ...sampleProvider('well') },
      {
        ...sampleProvider('first'),
        health: { kind: 'resting' as const, rest, models: [] },
        failingSince: sceneTime - 540_000,
      },
    ]
    const shown = trayView(
      pictureAfter(picture([], { limits: [{ provider: 'zai', since: sceneTime, lifts: null, resuming: 0 }] }), {
        type: 'providers',
        providers,
        routing: { routes: {}, aliases: {}, longContextThreshold: 1, savedAt: null, canUndo: false },
      }),
      sceneTime,
    )
    const did: TrayAction[] = []
    const items = trayMenu(shown, (action) => did.push(action))
    expect(items.slice(1, 6).map(({ label }) => label)).toEqual([
      undefined,
      expect.stringMatching(/^▲ first fails since \d\d:\d\d$/),
      expect.stringMatching(/^▲ late fails since \d\d:\d\d$/),
      expect.stringMatching(/^zai: limit reached/),
      undefined,
    ])
    items[2]?.click?.call(items[2], {} as never, undefined, {} as never)
    expect(did).toEqual([{ kind: 'open', place: { kind: 'providers' } }])
  })

  it('has no line for limits where there is none', () => {
    expect(view([], { limits: [] }).limits).toEqual([])
    expect(trayView({ ...picture(), status: null }, sceneTime).limits).toEqual([])
  })

  it('tells the next alarm and what was missed, after sessions that need you; both lead to the alarms', () => {
    const next = {
      sessionId: 's0',
      sessionName: 'name-0',
      dueAt: sceneTime + 1_080_000,
      task: 'R&D: re-run\nthe flaky suite',
    }
    const { labels, items, did } = menu([needs], {
      alarms: { waiting: 3, missed: 2, next },
      limits: [{ provider: 'zai', since: sceneTime, lifts: null, resuming: 0 }],
    })
    expect(labels.slice(2, 9)).toEqual([
      '◆ name-0: asks to run “docker compose up”',
      '—',
      expect.stringMatching(/^Next alarm \d\d:\d\d: R&&D: re-run the flaky suite$/),
      '2 missed alarms',
      '—',
      'zai: limit reached',
      '—',
    ])
    for (const item of items.slice(4, 6)) item.click?.call(item, {} as never, undefined, {} as never)
    expect(did).toEqual([
      { kind: 'open', place: { kind: 'alarms' } },
      { kind: 'open', place: { kind: 'alarms' } },
    ])
  })

  it('names the day of an alarm that does not ring today, and keeps the line short', () => {
    const next = { sessionId: 's0', sessionName: 'name-0', dueAt: sceneTime + 3 * 86_400_000, task: 'long '.repeat(40) }
    const line = view([], { alarms: { waiting: 1, missed: 0, next } }).nextAlarm ?? ''
    expect(line).toMatch(/^Next alarm 24 November \d\d:\d\d: long .*…$/)
    expect([...line].length).toBeLessThanOrEqual(64)
  })

  it('has no line for alarms where none waits and none was missed', () => {
    const none = { nextAlarm: null, missedAlarms: null }
    expect(view([], { alarms: { waiting: 0, missed: 0, next: null } })).toMatchObject(none)
    expect(view()).toMatchObject(none)
    expect(trayView({ ...picture(), status: null }, sceneTime)).toMatchObject(none)
  })

  it('names what needs you before what failed, the latest first, nine at most, and how many more', () => {
    const { labels } = menu([failed, ...Array.from({ length: 10 }, () => needs)])
    expect(labels.slice(2, 11).map((label) => label.split(':')[0])).toEqual(
      Array.from({ length: 9 }, (_, i) => `◆ name-${i + 1}`),
    )
    expect(labels[11]).toBe('2 more in the dashboard')
  })

  it('keeps a line short and an & from being taken for a shortcut', () => {
    const { labels } = menu([{ ...needs, name: `R&D ${'very '.repeat(40)}long\nname` }])
    expect(labels[2]).toMatch(/^◆ R&&D very .*…/)
    expect([...(labels[2] ?? '')].length).toBeLessThanOrEqual(66)
    expect(labels[2]).not.toMatch(/\n/)
  })

  it('does what it says', () => {
    const { items, did } = menu([needs])
    for (const item of items) item.click?.call(item, {} as never, undefined, {} as never)
    expect(did).toEqual([
      { kind: 'open', place: { kind: 'session', id: 's0' } },
      { kind: 'pause-all' },
      { kind: 'open', place: { kind: 'new-terminal' } },
      { kind: 'copy-base-url' },
      { kind: 'open', place: null },
      { kind: 'open', place: { kind: 'settings' } },
      { kind: 'update', request: 'check' },
      { kind: 'quit' },
    ])
  })

  it('offers to resume while everything is paused', () => {
    const { labels } = menu([], { paused: true })
    expect(labels).toContain('Resume all')
    expect(labels).not.toContain('Pause all')
  })

  it('without an engine leads only to the dashboard, settings and the end', () => {
    const items = trayMenu(trayView(noPicture('en'), sceneTime), () => undefined)
    expect(items.filter((item) => item.enabled).map((item) => item.label)).toEqual([
      'Open dashboard',
      'Settings…',
      'Check for updates',
      'Quit',
    ])
  })

  it.each(languages)('has a word for everything in %s, whatever the sessions do', (language) => {
    const all = sessionShapes.map((shape): Partial<SessionView> => ({
      ...(shape === 'failed' ? failed : needs),
      shape,
    }))
    for (const item of menu(all, { language }).items) if (item.type !== 'separator') expect(item.label).toMatch(/\S/)
  })

  it.each<[string, ShellState['update'], string, UpdateRequest | null]>([
    ['looks', { kind: 'checking' }, 'Checking for updates…', null],
    ['found one', { kind: 'available', version: '0.2.0', notes: '' }, 'Download Onward 0.2.0', 'download'],
    ['downloads', { kind: 'downloading', percent: 4, version: '0.2.0', notes: '' }, 'Downloading Onward 0.2.0…', null],
    [
      'has it',
      { kind: 'ready', atQuit: false, whenIdle: false, version: '0.2.0', notes: '' },
      'Restart to update to 0.2.0',
      'restart',
    ],
    [
      'could not have it',
      { kind: 'failed', why: 'broken', detail: '', found: { version: '0.2.0', notes: '' } },
      'Download Onward 0.2.0',
      'download',
    ],
    ['found nothing', { kind: 'failed', why: 'offline', detail: '', found: null }, 'Check for updates', 'check'],
  ])('says of updates that it %s', (_what, update, label, request) => {
    expect(trayView(noPicture('en'), sceneTime, { update, older: null }).update).toEqual({ label, request })
  })

  it('offers to take over from an older engine, and only from one', () => {
    const older = { engine: '0.0.9', app: '0.1.0', service: true }
    const items = (state: ShellState) =>
      trayMenu(trayView(noPicture('en'), sceneTime, state), (action) => did.push(action)).filter(({ label }) =>
        label?.startsWith('Take over'),
      )
    const did: TrayAction[] = []
    expect(items({ update: { kind: 'idle' }, older: null })).toEqual([])
    const [item] = items({ update: { kind: 'idle' }, older })
    expect(item?.label).toBe('Take over from the engine of Onward 0.0.9…')
    Reflect.apply(item?.click ?? (() => undefined), null, [])
    expect(did).toEqual([{ kind: 'take-over' }])
  })
})

it('names a terminal whose agent asks before its first turn', () => {
  const fresh = sampleSession({ ...needs, id: 'term_1', name: 'untrusted' })
  const { icon, asking } = trayView(
    pictureAfter(picture(), { type: 'terminal', terminal: sampleTerminal({ sessionId: null, fresh }) }),
    sceneTime,
  )
  expect(icon).toBe('needs-you')
  expect(asking).toMatchObject([{ sessionId: 'term_1', line: expect.stringContaining('untrusted') }])
})

it('names the sessions of machines that answer, too, and leads to them', () => {
  const machine = (name: string, state: MachineState) =>
    [
      { type: 'machine', machine: { name, target: name, state } },
      { type: 'machine-session', machine: name, session: sampleSession({ ...needs, id: 'far', name: 'etl' }) },
    ] as const
  const gone = { code: 'machine-line-lost', message: 'It broke.' }
  const known = [
    ...machine('devbox', { kind: 'there', since: 1, version: '1' }),
    // whether somebody still waits there is not known
    ...machine('gpu', { kind: 'away', since: 1, seen: true, why: gone, nextTryAt: 2 }),
  ]
  const view = trayView(known.reduce<Picture>(pictureAfter, picture()), sceneTime)
  expect(view.icon).toBe('needs-you')
  expect(view.asking).toMatchObject([
    { sessionId: 'far', machine: 'devbox', line: expect.stringContaining('devbox: etl') },
  ])
  const did: unknown[] = []
  const item = trayMenu(view, (action) => did.push(action)).find(({ label }) => label?.includes('devbox'))
  Reflect.apply(item?.click ?? (() => undefined), null, [])
  expect(did).toEqual([{ kind: 'open', place: { kind: 'session', id: 'far', machine: 'devbox' } }])
})
