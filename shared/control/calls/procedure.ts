import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import type { ControlApi } from '../contract.ts'
import { factsOf } from '../../problems.ts'

export interface ControlContext {
  api: ControlApi
}

/** what all calls are made with */
export const t = initTRPC.context<ControlContext>().create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: {
      ...shape.data,
      stack: undefined,
      onwardCode: codeOf(error.cause),
      onwardField: fieldOf(error.cause),
      onwardFacts: factsOf(detailsOf(error.cause)),
    },
  }),
})
export const call = t.procedure
export const id = z.string().min(1).max(512)

function codeOf(cause: unknown): string | null {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
}

const detailsOf = (cause: unknown): unknown => (cause instanceof Error && 'details' in cause ? cause.details : null)

/** The setting of the config that a refusal is about, e.g. `providers.glm.baseUrl`. */
function fieldOf(cause: unknown): string | null {
  const details = detailsOf(cause)
  return typeof details === 'object' && details !== null && 'field' in details && typeof details.field === 'string'
    ? details.field
    : null
}
