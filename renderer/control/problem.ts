import { TRPCClientError } from '@trpc/client'

/** Why a call did not work: the engine's stable code, where it gave one, and its sentence. */
export interface Problem {
  code: string | null
  message: string
  /** the setting of the config it is about, where the engine names one */
  field?: string | null
}

export function problemOf(error: unknown): Problem {
  return {
    code: error instanceof TRPCClientError ? member(error.data, 'onwardCode') : null,
    field: error instanceof TRPCClientError ? member(error.data, 'onwardField') : null,
    message: error instanceof Error ? error.message : String(error),
  }
}

/** The router's error formatter puts what the engine says beside tRPC's own data. */
function member(data: unknown, name: 'onwardCode' | 'onwardField'): string | null {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : null
  return typeof value === 'string' ? value : null
}
