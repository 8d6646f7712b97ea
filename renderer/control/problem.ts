import type { Words } from '../i18n/index.ts'
import { factsOf, type ProblemFacts } from '../../shared/problems.ts'

/** Why a call did not work: the engine's stable code, where it gave one, and its sentence. */
export interface Problem {
  code: string | null
  message: string
  /** the setting of the config it is about, where the engine names one */
  field?: string | null
  /** what its sentence is made of */
  facts?: ProblemFacts
}

export function problemOf(error: unknown): Problem {
  const data = isOfTrpc(error) ? memberOf(error, 'data') : null
  return {
    code: member(data, 'onwardCode'),
    field: member(data, 'onwardField'),
    facts: isOfTrpc(error) ? factsOf(memberOf(data, 'onwardFacts')) : {},
    message: error instanceof Error ? error.message : String(error),
  }
}

/** By its name: the class would bring the client along, which the first paint does not wait for. */
const isOfTrpc = (error: unknown): boolean => error instanceof Error && error.name === 'TRPCClientError'

/** The router's error formatter puts the engine's own members beside tRPC's data. */
function member(data: unknown, name: 'onwardCode' | 'onwardField'): string | null {
  const value = memberOf(data, name)
  return typeof value === 'string' ? value : null
}

const memberOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null ? Reflect.get(data, name) : null

/** The same in the words of who looks at it. What carries no code is no refusal of the engine's, and stays as it is. */
export function inWords(problem: Problem, { s }: Pick<Words, 's'>): Problem {
  const { code, message, facts = {} } = problem
  return code === null ? problem : { ...problem, message: s.problem({ code, said: message, facts }) }
}
