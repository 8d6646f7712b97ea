import type { Edit } from '../protocol/index.ts'
import type { RouteChoice } from '../router/types.ts'
import type { Turn } from './turn.ts'

/** Everything that changes of the request on its way to this choice, but the model's name. The config says what a model takes: a sighted one that steps in gets the images themselves. */
export function requestEdits({ edits, declared, described }: Pick<Turn, 'edits' | 'declared' | 'described'>, choice: RouteChoice | null): readonly Edit[] {
  const model = choice?.provider.models[choice.upstreamModel]
  const takesTools = model?.tools !== false
  const isBlind = choice === null || model?.vision === false
  return [...edits, ...(declared && takesTools ? declared : []), ...(described && isBlind ? described : [])]
}
