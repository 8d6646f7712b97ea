import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/ids.ts'
import { silentLog } from '../../base/log.ts'
import { createStore } from '../../store/create-store.ts'
import type { Journal } from '../../store/journal.ts'
import type { Files } from '../../store/types.ts'
import { createOutboxes, type Outboxes } from '../../terminals/outbox/outboxes.ts'
import { silentListener } from '../../terminals/outbox/testing/bench.ts'
import { defaultOutboxSettings } from '../../terminals/outbox/settings.ts'
import type { TypingTarget } from '../../terminals/types.ts'
import { createAlarms } from '../alarms.ts'
import type { Alarms } from '../model/types.ts'

export interface OnDisk {
  alarms: Alarms
  outboxes: Outboxes
  problems: string[]
  end(): Promise<void>
}

/**
 * Alarms and outboxes over real files, put together as the engine does it. `target`: the terminal of every session;
 * null: none has one
 */
export async function openOnDisk({
  root,
  files,
  clock,
  random,
  target = null,
  journal,
}: {
  root: string
  files: Files
  clock: Clock
  random: Random
  target?: TypingTarget | null
  journal?: Journal
}): Promise<OnDisk> {
  const problems: string[] = []
  const store = createStore({
    root,
    files,
    clock,
    log: silentLog,
    ...(journal ? { journal } : {}),
    onProblem: ({ code, file }) => {
      problems.push(`${code} ${file}`)
    },
  })
  const outboxes = createOutboxes({
    store,
    clock,
    random,
    record: () => {},
    settings: () => defaultOutboxSettings,
    safeText: (text) => text,
    terminalOf: () => target?.terminalId ?? null,
    clientOf: () => 'codex',
    findTarget: () => target,
  })
  const alarms = createAlarms({
    store,
    files,
    root,
    outboxes,
    clock,
    random,
    log: silentLog,
    record: (_, body) => {
      if (body.type === 'store-problem' || body.type === 'engine-problem') problems.push(`${body.code} ${body.message}`)
    },
    config: () => ({
      dueWindowMs: 60_000,
      retentionMs: 1_200_000,
      tickMs: 60_000,
      hold: { until: 'due' },
      holdMaxMs: 60_000,
    }),
    zone: () => 'UTC',
    scopeOf: () => (target ? 'tmux:main' : null),
    alive: () => target !== null,
    paused: () => false,
    notify: () => {},
    onChange: () => {},
  })
  outboxes.use((scope) => ({ ...silentListener, ...alarms.listenerOf(scope) }))
  await outboxes.load()
  await alarms.load()
  await outboxes.start()
  alarms.start()
  return {
    alarms,
    outboxes,
    problems,
    async end() {
      await alarms.idle()
      alarms.dispose()
      await outboxes.close()
    },
  }
}
