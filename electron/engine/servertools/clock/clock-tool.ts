import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { CalledTool } from '../types.ts'
import { clockDeclaration } from './declaration.ts'
import { nowFacts } from '../../base/now-facts.ts'

export interface ClockToolDeps {
  clock: Clock
  /** IANA name of the machine's zone */
  timezone(): string
}

const input = z.object({ action: z.enum(['get', 'schedule', 'list', 'cancel', 'clear']) })

/** The tool `clock` (spec 04). `get` tells the time; alarms are refused until they are built. */
export function createClockTool({ clock, timezone }: ClockToolDeps): CalledTool {
  return {
    trigger: 'tool_call',
    name: 'clock',
    aliases: [],
    about: 'Tells the model the time.',
    onByDefault: true,
    declared: 'every-turn',
    declaration: () => clockDeclaration,
    offered: () => true,
    problem: () => null,
    inOrder: true,
    timeoutMs: 10_000,
    did: 'looked at the clock',
    async run(call) {
      const asked = input.safeParse(call.input)
      if (!asked.success) return refused('bad-arguments', 'The arguments are no JSON object with one of the actions get, schedule, list, cancel, clear.')
      const { action } = asked.data
      if (action !== 'get') return refused('not-built', `Alarms are not part of this version yet, so “${action}” can't be done. Only “get” works.`)
      return { kind: 'result', text: JSON.stringify({ ok: true, action, active: true, ...nowFacts(clock.now(), timezone()), ntp: { status: 'disabled' } }), note: 'the time' }
    },
  }
}

const refused = (code: string, message: string) => ({ kind: 'result' as const, text: JSON.stringify({ ok: false, error: { code, message } }), isError: true, failure: { code, message } })
