/** The engine's log of the scene. */
import type { LogPage } from '../../../shared/log-page.ts'

const said: readonly [level: number, message: string, facts?: Record<string, unknown>][] = [
  [30, 'engine ready', { pid: 4242, host: '127.0.0.1', port: 5520 }],
  [30, 'Config loaded.', { path: '/home/me/.onward/config.json', providers: 6 }],
  [30, 'a turn went to zai/glm-5', { session: 'billing-service-01jd', key: 'main' }],
  [40, 'a member was dropped in conversion', { provider: 'anthropic', member: 'parallel_tool_calls' }],
  [50, 'the provider answered 429: limit reached, lifts at 16:00', { provider: 'anthropic', ms: 412 }],
  [20, 'screen read, dialog open', { terminal: 'pty-5', dialog: 'command' }],
  [30, 'typed 147 characters and submitted', { terminal: 'pty-3' }],
]

export function sceneLog(now: number, cursor: string | null): LogPage {
  const lines = said.map(([level, msg, facts], i) =>
    JSON.stringify({ level, time: now - (said.length - i) * 11_000, ...facts, msg }),
  )
  return { path: '/home/me/.onward/logs/engine.log', lines: cursor === null ? lines : [], cursor: '1:1', gap: false }
}
