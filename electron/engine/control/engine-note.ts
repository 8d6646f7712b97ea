import { readContract, type Contract } from '../../../shared/control/contract.ts'

export interface EngineInfo {
  pid: number
  host: string
  port: number
  /** its own socket, see base/network/own-socket.ts */
  socket: string
  /** epoch milliseconds */
  startedAt: number
  version: string
  /** what it speaks with others; absent in one from before that had a version */
  contract?: Contract | undefined
  /** the system’s service manager runs it, and starts it again when it fails */
  service?: boolean | undefined
  /** it takes no new requests and ends by then (epoch milliseconds): another one may wait for the home */
  endsBy?: number | undefined
}

/** With the start of the process: its number alone may belong to another process by now. */
export type EngineNote = EngineInfo & { start: string | null }

/**
 * Returns null for a note that can't be understood: no engine that we could talk to wrote it. Parsed by hand: loading a
 * validator takes a quarter of the time of a command that asks the engine.
 */
export function parseNote(text: string | null): EngineNote | null {
  const json = text === null ? null : jsonIn(text)
  if (typeof json !== 'object' || json === null) return null
  const { pid, host, port, socket, startedAt, version, contract, service, endsBy, start }: Record<string, unknown> = {
    ...json,
  }
  if (!isCount(pid) || !isCount(port) || port > 65_535) return null
  if (typeof host !== 'string' || host === '' || typeof socket !== 'string' || socket === '') return null
  if (typeof startedAt !== 'number' || typeof version !== 'string') return null
  if (service !== undefined && typeof service !== 'boolean') return null
  if (endsBy !== undefined && typeof endsBy !== 'number') return null
  if (start !== null && typeof start !== 'string') return null
  const speaks = readContract(contract)
  const more = {
    ...(speaks === null ? {} : { contract: speaks }),
    ...(service === undefined ? {} : { service }),
    ...(endsBy === undefined ? {} : { endsBy }),
  }
  return { pid, host, port, socket, startedAt, version, ...more, start }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
