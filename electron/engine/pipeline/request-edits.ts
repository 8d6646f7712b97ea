import type { Edit } from '../protocol/index.ts'
import type { RouteChoice } from '../router/types.ts'
import type { Turn } from './turn.ts'

/** Everything that changes of the request on its way to this choice, but the model's name. The config can say of a model that it takes no tools. */
export function requestEdits({ edits, declared }: Pick<Turn, 'edits' | 'declared'>, choice: RouteChoice | null): readonly Edit[] {
  const takesTools = choice?.provider.models[choice.upstreamModel]?.tools !== false
  return declared && takesTools ? [...edits, ...declared] : edits
}
