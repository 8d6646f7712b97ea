/** Short ways to write what the upstream shall answer. */
import type { AnswerPlan, ErrorPlan, GarbagePlan, Gate, RawPart, RawPlan, ToolCallPlan } from './types.ts'

export const say = (text: string, more: Omit<AnswerPlan, 'kind' | 'text'> = {}): AnswerPlan => ({
  kind: 'answer',
  text,
  ...more,
})

export const callTool = (
  name: string,
  input: unknown,
  more: Omit<AnswerPlan, 'kind' | 'toolCalls'> & { call?: Partial<ToolCallPlan> } = {},
): AnswerPlan => {
  const { call, ...rest } = more
  return { kind: 'answer', toolCalls: [{ name, input, ...call }], ...rest }
}

export const fail = (status: number, more: Omit<ErrorPlan, 'kind' | 'status'> = {}): ErrorPlan => ({
  kind: 'error',
  status,
  ...more,
})

export const raw = (
  parts: readonly RawPart[] | string | Buffer,
  more: Omit<RawPlan, 'kind' | 'parts'> = {},
): RawPlan => ({ kind: 'raw', parts: typeof parts === 'string' || Buffer.isBuffer(parts) ? [parts] : parts, ...more })

export const garbage = (bytes: string | Buffer): GarbagePlan => ({ kind: 'garbage', bytes })

/** Something to wait for until the test opens it. */
export function gate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
