import { TRPCClientError } from '@trpc/client'

/** Why a call did not work: the engine's stable code, where it gave one, and its sentence. */
export interface Problem {
  code: string | null
  message: string
}

export function problemOf(error: unknown): Problem {
  return {
    code: error instanceof TRPCClientError ? codeOf(error.data) : null,
    message: error instanceof Error ? error.message : String(error),
  }
}

/** The router's error formatter puts the engine's code beside tRPC's own data. */
function codeOf(data: unknown): string | null {
  return typeof data === 'object' && data !== null && 'onwardCode' in data && typeof data.onwardCode === 'string'
    ? data.onwardCode
    : null
}
