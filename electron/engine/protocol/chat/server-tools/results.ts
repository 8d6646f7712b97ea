import type { CallResult } from '../../server-tools/types.ts'

/** Chat has no mark for a result that is an error: its text says so. */
export const resultsBeside = (results: readonly CallResult[]): string[] =>
  results.map(({ call, text }) => JSON.stringify({ role: 'tool', tool_call_id: call.id, content: text }))
