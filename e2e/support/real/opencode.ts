import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { opencodeHome } from '../agents.ts'
import { callTool, say } from '../mock-upstream/index.ts'
import type { RealAgent } from './types.ts'

/** opencode 1.18.33. */
export const opencode: RealAgent = {
  client: 'opencode',
  name: 'opencode',
  provider: 'openai-chat',
  seedHome(home) {
    const env = opencodeHome(home)
    writeFileSync(
      join(home, '.config/opencode/opencode.json'),
      JSON.stringify({
        permission: { bash: 'ask' },
        autoupdate: false,
        share: 'disabled',
        lsp: false,
        formatter: false,
      }),
    )
    return env
  },
  // Of two that open the same data folder at once, one can hang for good before its first screen:
  // https://github.com/anomalyco/opencode/issues/29395
  ownOfStart: (home, name) => ({ XDG_DATA_HOME: join(home, '.local/share', name) }),
  args: [],
  isIdle: (screen) => /╹▀{10,}/.test(screen) && !/esc (?:again to )?interrupt/.test(screen),
  dialog: {
    reply: (file) => callTool('bash', { command: `touch ${file}`, description: 'Makes the file' }),
    shows: /△ Permission required/,
    yes: ['Enter'],
  },
  clear: ['C-u'],
  escAgain: /esc again to interrupt/,
  quit: '/exit',
  compact: '/compact',
  retriesCutStreams: true,
  subAgent: {
    asksFirst: false,
    background: false,
    reply: (prompt) => callTool('task', { description: 'Counts parts', prompt, subagent_type: 'general' }),
    is: ({ lastUserText }, errand) => lastUserText?.includes(errand) ?? false,
    answer: say,
  },
}
