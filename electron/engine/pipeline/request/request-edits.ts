import type { Edit } from '../../protocol/index.ts'
import type { RouteChoice } from '../../router/types.ts'
import type { Turn } from '../turn.ts'

/**
 * Everything that changes of the request on its way to this choice, but the model's name. The config says what a model
 * takes: a sighted one that steps in gets the images themselves. `round`: the time is told in an exchange's first
 * request and in no followup.
 */
export function requestEdits(
  { edits, declared, described, tail }: Pick<Turn, 'edits' | 'declared' | 'described' | 'tail'>,
  choice: RouteChoice | null,
  round: 'first' | 'further' = 'first',
): readonly Edit[] {
  const model = choice?.provider.models[choice.upstreamModel]
  const takesTools = model?.tools !== false
  const isBlind = choice === null || model?.vision === false
  const tellsTime =
    round === 'first' &&
    model?.timeTag !== false &&
    (choice === null || (tail?.bearsTime(choice.upstreamModel) ?? false))
  // Last: what is inserted at one place stands in this order.
  const behind = tellsTime ? tail?.first : tail?.kept
  return [
    ...edits,
    ...(declared && takesTools ? declared : []),
    ...(described && isBlind ? described : []),
    ...(behind ?? []),
  ]
}
