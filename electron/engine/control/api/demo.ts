import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { EngineUpdate, TerminalView } from '../../../../shared/state.ts'
import type { Language } from '../../../../shared/words.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { EngineHost } from '../../host.ts'

export interface DemoDeps {
  host: Pick<EngineHost, 'demoAgent' | 'clock' | 'log'>
  openTerminal: ControlApi['openTerminal']
  addAlarm: ControlApi['addAlarm']
  follow(signal: AbortSignal): AsyncIterable<EngineUpdate>
  language(): Language
}

/** Three rounds take a few seconds; a demo that is not finished by then was abandoned. */
const WITHIN_MS = 10 * 60_000
const ALARM_AFTER_MS = 10_000
const words = {
  en: { name: 'Demo', task: 'The alarm of the demo rings. Say that you heard it.' },
  'zh-CN': { name: '演示', task: '演示的闹钟响了，说一声你听到了。' },
} as const

/**
 * Opens a terminal with the demo's agent. The agent's first message arms its own rounds, by a marker, as a person
 * would.
 */
export async function startDemo(deps: DemoDeps): Promise<TerminalView> {
  const [...argv] = deps.host.demoAgent?.() ?? []
  if (argv.length === 0)
    throw new OnwardError('no-demo', 'This host has no demo agent. Open a terminal with an agent of yours instead.', {
      status: 501,
    })
  const { name, task } = words[deps.language()]
  const stop = new AbortController()
  // Followed from before the start, so that no round is missed.
  const updates = deps.follow(stop.signal)
  try {
    const terminal = await deps.openTerminal({
      client: 'other',
      args: [...argv, '--language', deps.language()],
      name,
      cols: 100,
      rows: 30,
    })
    const limit = deps.host.clock.after(WITHIN_MS, () => stop.abort())
    void ringAfterwards(updates, terminal.id, task, deps)
      .catch((error: unknown) => deps.host.log.warn({ why: messageOf(error) }, 'the demo’s alarm was not set'))
      .finally(() => {
        limit.dispose()
        stop.abort()
      })
    return terminal
  } catch (error) {
    stop.abort()
    throw error
  }
}

/** Sets the alarm when the rounds are finished, so that none of them takes it along. */
async function ringAfterwards(
  updates: AsyncIterable<EngineUpdate>,
  terminalId: string,
  task: string,
  { addAlarm, host }: DemoDeps,
): Promise<void> {
  for await (const update of updates) {
    if (update.type === 'terminal-removed' && update.id === terminalId) return
    const sessions = update.type === 'snapshot' ? update.sessions : update.type === 'session' ? [update.session] : []
    const demo = sessions.find((session) => session.terminalId === terminalId)
    if (demo?.stopMessage?.status.kind !== 'done') continue
    await addAlarm({ session: demo.id, dueAt: host.clock.now() + ALARM_AFTER_MS, task })
    return
  }
}
