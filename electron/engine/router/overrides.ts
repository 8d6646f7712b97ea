import type { RoutingInstruction, RoutingTarget } from '../markers/index.ts'
import type { RoutingOverrides } from './types.ts'

/** Returns a session's sticky overrides after a routing marker. */
export function applyRoutingMarker(overrides: RoutingOverrides, instruction: RoutingInstruction): RoutingOverrides {
  switch (instruction.kind) {
    case 'routing-allow':
      return { ...overrides, allow: instruction.providers }
    case 'routing-prefer':
      return { ...overrides, prefer: `${instruction.provider}.${instruction.model}` }
    case 'routing-force':
      return { ...overrides, force: `${instruction.provider}.${instruction.model}` }
    case 'routing-disable':
      return {
        ...overrides,
        disabled: [...overrides.disabled.filter((t) => t !== nameOf(instruction.target)), nameOf(instruction.target)],
      }
    case 'routing-enable':
      return { ...overrides, disabled: overrides.disabled.filter((t) => t !== nameOf(instruction.target)) }
    case 'clear':
      return { allow: null, prefer: null, force: null, disabled: [] }
  }
}

/** Returns the overrides for the session's next turns: force lasts one turn. */
export const stickyPart = (overrides: RoutingOverrides): RoutingOverrides => ({ ...overrides, force: null })

/** A target as a person writes it, which is also how routing overrides name it. */
export function nameOf(target: RoutingTarget): string {
  switch (target.kind) {
    case 'provider':
      return target.provider
    case 'model':
      return `${target.provider}.${target.model}`
    case 'key':
      return typeof target.key === 'number' ? `${target.provider}.${target.key}` : `${target.provider}[${target.key}]`
  }
}
