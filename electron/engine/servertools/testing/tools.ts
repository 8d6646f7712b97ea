/** Tools for tests: what they do is said where they are made. */
import { configSchema, type ConfigInput } from '../../../../shared/config/schema.ts'
import type { AutomaticTool, CalledTool, TurnView } from '../types.ts'
import type { SwitchDeps } from '../registry.ts'

export const calledTool = (name: string, run: CalledTool['run'], more: Partial<CalledTool> = {}): CalledTool => {
  const declaration = {
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    strict: false,
  }
  return {
    trigger: 'tool_call',
    name,
    aliases: [],
    about: '',
    onByDefault: true,
    declared: 'with-tools',
    declaration: () => declaration,
    offered: () => true,
    problem: () => null,
    inOrder: false,
    timeoutMs: () => 30_000,
    did: `did ${name}`,
    run,
    ...more,
  }
}

export const automaticTool = (name: string, priority: number, react: AutomaticTool['react']): AutomaticTool => ({
  trigger: 'auto',
  name,
  about: '',
  onByDefault: true,
  phase: 'answer-ended',
  priority,
  problem: () => null,
  react,
})

export const turnView = (more: Partial<TurnView> = {}): TurnView => ({
  requestId: 'r1',
  sessionId: 's1',
  scope: null,
  terminalId: null,
  client: 'other',
  entry: 'messages',
  kind: 'turn',
  model: 'm',
  ...more,
})

export function switchesOf(config: ConfigInput = {}, env: SwitchDeps['env'] = {}): SwitchDeps {
  const parsed = configSchema.parse(config)
  return { config: () => parsed, env }
}
