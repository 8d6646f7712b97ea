/**
 * Requests of real agents as they came (texts and lists cut), in their order: main turns are turns, also where the
 * agent does not say so itself, and no other request is one.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requestKinds, type EntryProtocol } from '../../../../shared/words.ts'
import { codecOf } from '../../protocol/index.ts'
import { recogniseClient } from '../../sessions/clients/index.ts'
import { identifying } from '../../sessions/testing/identifying.ts'
import { pty } from '../../sessions/testing/machine.ts'
import { draftOf } from '../turn.ts'
import { requestFacts } from '../run-turn.ts'

const shape = z.object({
  run: z.string(),
  kind: z.enum(requestKinds),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
})
type Recorded = z.infer<typeof shape>

const entryOf = ({ path }: Recorded): EntryProtocol =>
  path.includes('/messages')
    ? 'messages'
    : path.includes('/responses')
      ? 'responses'
      : path.includes('/v1beta')
        ? 'gemini'
        : 'chat'

const agents = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot', 'kimi'] as const
const recordedOf = (agent: string): Recorded[] =>
  readFileSync(new URL(`fixtures/${agent}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => shape.parse(JSON.parse(line)))

const withoutHints = (headers: Recorded['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-claude-code-request-class'))

async function kindsOf(requests: readonly Recorded[], headersOf = ({ headers }: Recorded) => headers) {
  const { terminals, identifier } = await identifying()
  const { terminal } = await terminals.register(pty({}))
  return requests.map((request) => {
    const headers = headersOf(request)
    const entry = entryOf(request)
    const recognised = recogniseClient(headers)
    const { lens } = draftOf(codecOf(entry), Buffer.from(JSON.stringify(request.body)), request.path, recognised)
    const call = {
      entry,
      endpoint: 'generate' as const,
      headers,
      caller: { kind: 'terminal' as const, terminalId: terminal.terminalId },
      callingProcess: null,
    }
    return identifier.identify(requestFacts(call, lens, recognised)).kind
  })
}

/** Returns the requests of each recorded run of an agent. */
const runsOf = (agent: string): [string, Recorded[]][] => {
  const all = recordedOf(agent)
  return [...new Set(all.map(({ run }) => run))].map((run) => [`${agent}, ${run}`, all.filter((r) => r.run === run)])
}

describe('recorded requests', () => {
  it.each(agents.flatMap(runsOf))('%s', async (_, requests) => {
    expect(await kindsOf(requests)).toEqual(requests.map(({ kind }) => kind))
  })

  it.each(runsOf('claude'))('%s, where it does not say what they are', async (_, requests) => {
    const kinds = await kindsOf(requests, ({ headers }) => withoutHints(headers))
    expect(kinds.map((kind) => kind === 'turn')).toEqual(requests.map(({ kind }) => kind === 'turn'))
  })

  it('each agent has turns and others among them', () => {
    for (const agent of agents) {
      const kinds = recordedOf(agent).map(({ kind }) => kind === 'turn')
      expect([agent, new Set(kinds).size]).toEqual([agent, 2])
    }
  })
})
