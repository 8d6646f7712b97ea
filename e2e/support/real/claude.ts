import { join } from 'node:path'
import { callTool, say } from '../mock-upstream/index.ts'
import { writeOnce } from './write-once.ts'
import type { RealAgent } from './types.ts'

/** Claude Code 2.1.332. Its automatic permission mode wants an answer that no mock gives. */
export const claude: RealAgent = {
  client: 'claude',
  name: 'Claude Code',
  provider: 'anthropic',
  seedHome(home, projects) {
    const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
    writeOnce(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      theme: 'dark',
      projects: Object.fromEntries(projects.map((folder) => [folder, trusted])),
    })
    return {
      HOME: home,
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      // as root it refuses modes that ask nothing
      IS_SANDBOX: '1',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
    }
  },
  args: ['--permission-mode', 'default'],
  isIdle: (screen) => /^❯\u00a0/m.test(screen) && !/esc to interrupt/.test(screen),
  dialog: {
    reply: (file) => callTool('Bash', { command: `touch ${file}`, description: 'Makes the file' }),
    shows: /Do you want to proceed\?/,
    yes: ['Enter'],
  },
  clear: ['C-u'],
  quit: '/exit',
  compact: '/compact',
  retriesCutStreams: true,
  subAgent: {
    asksFirst: false,
    background: true,
    reply: (prompt) => callTool('Agent', { description: 'Counts parts', prompt, subagent_type: 'general-purpose' }),
    is: ({ lastUserText }, errand) => lastUserText?.includes(errand) ?? false,
    answer: say,
  },
}
