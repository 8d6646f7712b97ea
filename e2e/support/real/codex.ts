import { codexHome } from '../agents.ts'
import { callTool, say } from '../mock-upstream/index.ts'
import type { RealAgent } from './types.ts'

const asking = 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"'

/** Codex CLI 0.171.0. */
export const codex: RealAgent = {
  client: 'codex',
  name: 'Codex',
  provider: 'openai-responses',
  seedHome: (home, [first = '', ...others]) =>
    codexHome(
      home,
      first,
      [asking, ...others.map((folder) => `[projects."${folder}"]\ntrust_level = "trusted"`)].join('\n'),
    ),
  args: [],
  isIdle: (screen) => /^[›>] /m.test(screen) && !/esc to interrupt/i.test(screen),
  dialog: {
    // It asks before it runs a command that wants out of the sandbox.
    reply: (file) =>
      callTool('exec_command', {
        cmd: `touch ${file}`,
        sandbox_permissions: 'require_escalated',
        justification: 'make a file',
      }),
    shows: /Would you like to run the following command\?/,
    yes: ['Enter'],
  },
  clear: ['C-u'],
  quit: '/quit',
  compact: '/compact',
  retriesCutStreams: true,
  subAgent: {
    asksFirst: false,
    background: true,
    reply: (message) =>
      callTool('spawn_agent', { task_name: 'counting', message }, { call: { namespace: 'collaboration' } }),
    is: ({ headers }) => headers['x-openai-subagent'] !== undefined,
    answer: say,
  },
}
