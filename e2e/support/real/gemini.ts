import { join } from 'node:path'
import { callTool } from '../mock-upstream/index.ts'
import { writeOnce } from './write-once.ts'
import type { RealAgent } from './types.ts'

/** Gemini CLI 0.61.0. It skips the settings Onward gives it below a folder that others may write to, as /tmp is. */
export const gemini: RealAgent = {
  client: 'gemini',
  name: 'Gemini CLI',
  provider: 'gemini',
  seedHome(home) {
    writeOnce(join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    })
    return { HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  },
  args: [],
  isIdle: (screen) => /^ [>*] {2,3}/m.test(screen) && !/esc to cancel/.test(screen),
  dialog: {
    reply: (file) => callTool('run_shell_command', { command: `touch ${file}`, description: 'Makes the file' }),
    shows: /Allow (?:execution|once)/,
    yes: ['Enter'],
  },
  clear: ['C-u'],
  quit: '/quit',
  compact: '/compress',
  retriesCutStreams: false,
  subAgent: {
    asksFirst: false,
    background: false,
    reply: (prompt) => callTool('invoke_agent', { agent_name: 'generalist', prompt }),
    is: ({ lastUserText }, errand) => lastUserText?.includes(errand) ?? false,
    answer: (response, delivery) => callTool('complete_task', { result: { response } }, delivery),
  },
}
