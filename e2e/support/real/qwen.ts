import { qwenHome } from '../agents.ts'
import { callTool, say } from '../mock-upstream/index.ts'
import type { RealAgent } from './types.ts'

/** Qwen Code 0.24.4. */
export const qwen: RealAgent = {
  client: 'qwen',
  name: 'Qwen Code',
  provider: 'openai-chat',
  seedHome: (home) => qwenHome(home),
  args: ['--approval-mode', 'default'],
  isIdle: (screen) => /^[>*] {2,3}Type your message|^[>*] /m.test(screen) && !/esc to cancel\)/.test(screen),
  dialog: {
    reply: (file) => callTool('run_shell_command', { command: `touch ${file}`, description: 'Makes the file' }),
    shows: /Waiting for user confirmation/,
    yes: ['Enter'],
  },
  clear: ['C-u'],
  quit: '/quit',
  compact: '/compress',
  retriesCutStreams: true,
  subAgent: {
    asksFirst: true,
    background: false,
    reply: (prompt) => callTool('agent', { description: 'Counts parts', prompt, subagent_type: 'general-purpose' }),
    is: ({ lastUserText }, errand) => lastUserText?.includes(errand) ?? false,
    answer: say,
  },
}
