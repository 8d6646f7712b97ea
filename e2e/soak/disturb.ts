import type { Key } from '../support/agent-driver.ts'
import { callTool, gate, say, type MockReply, type MockRequest } from '../support/mock-upstream/index.ts'
import type { Person } from '../support/real/person.ts'
import { told } from '../support/real/told.ts'
import type { RealAgent } from '../support/real/types.ts'
import { seeded } from '../support/seeded.ts'
import { moves, pause } from '../walk/moves.ts'

type Kind = 'aside' | 'glance' | 'rename' | 'background'

export interface Disturbances {
  /** answers a turn: with something thrown in, or as ever */
  answer(request: MockRequest): MockReply | undefined
  /** how often each was thrown in */
  readonly thrown: Readonly<Partial<Record<Kind, number>>>
  /** what went wrong with one of them */
  readonly failed: readonly unknown[]
}

/**
 * What happens at random while an agent is kept going: its person asks something beside, looks at the other
 * conversations or gives a name while a turn runs, and the model leaves work running behind the end of its turn.
 */
export function disturbances(agent: RealAgent, person: Person, own: string, seed: number): Disturbances {
  const random = seeded(seed)
  const { aside, glance, rename } = moves[agent.client]
  const thrown: Partial<Record<Kind, number>> = {}
  const failed: unknown[] = []
  const acts: Record<Exclude<Kind, 'background'>, (() => Promise<void>) | null> = {
    aside: aside && (() => write(aside.command('what was that?'), aside.leave)),
    glance:
      glance &&
      (async () => {
        person.press(...glance.go)
        await person.shows(glance.shows)
        await pause(2_000)
        person.press(...glance.back)
        await pause(2_000)
      }),
    rename: rename && (() => write(rename(`On parts ──── 〔v${random.int(99)}〕`), [])),
  }
  const kinds = [
    ...(['aside', 'glance', 'rename'] as const).filter((kind) => acts[kind] !== null),
    ...(background[agent.client] ? (['background'] as const) : []),
  ]

  /** Beside the turn that runs. */
  async function write(text: string, leave: readonly Key[]): Promise<void> {
    await person.draft(text)
    await pause(800)
    person.press('Enter')
    await pause(3_000)
    person.press(...leave)
    await pause(1_000)
  }
  async function allow(): Promise<void> {
    await person.shows(agent.dialog.shows)
    await pause(1_000)
    person.press(...agent.dialog.yes)
  }

  return {
    thrown,
    failed,
    answer(request) {
      if (request.auxiliary !== null || told(request) !== own || !random.chance(0.3)) return undefined
      const kind = kinds[random.int(kinds.length)]
      if (!kind) return undefined
      thrown[kind] = (thrown[kind] ?? 0) + 1
      if (kind === 'background') {
        const work = background[agent.client]
        if (work?.asks) allow().catch((error: unknown) => failed.push(error))
        return work?.reply
      }
      const over = gate()
      void pause(1_500)
        .then(acts[kind])
        .catch((error: unknown) => failed.push(error))
        .finally(over.open)
      return say('It is done.', { hold: { at: 'head', until: over } })
    },
  }
}

/** Work that the agent leaves running when its turn ends. */
const background: Partial<Record<RealAgent['client'], { reply: MockReply; asks: boolean }>> = {
  claude: {
    reply: callTool('Bash', { command: 'sleep 6', description: 'Waits', run_in_background: true }),
    asks: false,
  },
  codex: { reply: callTool('exec_command', { cmd: 'sleep 6', yield_time_ms: 1_000 }), asks: false },
}
