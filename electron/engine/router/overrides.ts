import { renderTarget, type Instruction } from '../markers/index.ts'
import type { RoutingOverrides } from './types.ts'

/** Returns a session's sticky overrides after a routing marker. Any other instruction leaves them as they are. */
export function applyRoutingMarker(overrides: RoutingOverrides, instruction: Instruction): RoutingOverrides {
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
        disabled: [
          ...overrides.disabled.filter((t) => t !== renderTarget(instruction.target)),
          renderTarget(instruction.target),
        ],
      }
    case 'routing-enable':
      return { ...overrides, disabled: overrides.disabled.filter((t) => t !== renderTarget(instruction.target)) }
    case 'clear':
      return { allow: null, prefer: null, force: null, disabled: [] }
    default:
      return overrides
  }
}

/** Returns the overrides for the session's next turns: force lasts one turn. */
export const stickyPart = (overrides: RoutingOverrides): RoutingOverrides => ({ ...overrides, force: null })
