/**
 * The first line that `onward link` writes on the other machine. After it the stream is the engine's own socket, byte
 * by byte. The line holds the control token of that engine, so it goes nowhere but into memory.
 */
import { parseJson } from '../../shared/parse-json.ts'
import { readContract, type Contract } from '../../shared/control/contract.ts'

export interface EngineThere {
  pid: number
  version: string
  /** null: of a build from before there were versions */
  contract: Contract | null
  /** where its clients find it, on that machine */
  host: string
  port: number
  token: string
}

export type Greeting =
  /** `started`: for this line, where none ran */
  | { kind: 'engine'; version: string; started: boolean; engine: EngineThere }
  | { kind: 'no-engine'; version: string; home: string }
  /** its `onward` could not go on: the words of an error there */
  | { kind: 'problem'; version: string; code: string; message: string }

/** tells the line from what the start files of a shell print */
const mark = 'onward-link '

export const greetingLine = (greeting: Greeting): string => `${mark}${JSON.stringify(greeting)}\n`

/** Parsed by hand: loading a validator takes a quarter of the time of a command. null: it is another line. */
export function readGreeting(line: string): Greeting | null {
  if (!line.startsWith(mark)) return null
  const value = parseJson(line.slice(mark.length))
  if (typeof value !== 'object' || value === null) return null
  const { kind, version, started, engine, home, code, message }: Record<string, unknown> = { ...value }
  if (typeof version !== 'string') return null
  if (kind === 'no-engine') return typeof home === 'string' ? { kind, version, home } : null
  if (kind === 'problem')
    return typeof code === 'string' && typeof message === 'string' ? { kind, version, code, message } : null
  const there = kind === 'engine' ? engineIn(engine) : null
  return there && { kind: 'engine', version, started: started === true, engine: there }
}

function engineIn(value: unknown): EngineThere | null {
  if (typeof value !== 'object' || value === null) return null
  const { pid, version, contract, host, port, token }: Record<string, unknown> = { ...value }
  if (!Number.isSafeInteger(pid) || !Number.isSafeInteger(port)) return null
  if (typeof version !== 'string' || typeof host !== 'string' || typeof token !== 'string' || token === '') return null
  return { pid: Number(pid), version, contract: readContract(contract), host, port: Number(port), token }
}
