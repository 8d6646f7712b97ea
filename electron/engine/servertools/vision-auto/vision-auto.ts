import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Store } from '../../store/types.ts'
import type { RequestTool } from '../types.ts'
import { createDescribe } from './describe.ts'
import { createDescriptions } from './descriptions.ts'
import { createDescribeImages } from './describe-images.ts'
import type { AskVision, DescribeImages } from './types.ts'

export interface VisionAutoDeps {
  ask: AskVision
  store: Store
  clock: Clock
  log: Log
  /** a model is in the route `vision` */
  hasVisionRoute(): boolean
}

/** Replaces images by words for a model that can't see. Its work in a turn is pipeline/see-images.ts. */
export function createVisionAuto({ ask, store, clock, log, hasVisionRoute }: VisionAutoDeps): {
  tool: RequestTool
  describeImages: DescribeImages
} {
  const problem = () => (hasVisionRoute() ? null : 'No model is in the route “vision”.')
  return {
    tool: {
      trigger: 'auto',
      name: 'vision_auto',
      about: 'Has images described by a model of the route “vision” when the chosen model can’t see.',
      onByDefault: true,
      phase: 'request',
      problem,
    },
    describeImages: createDescribeImages({
      describe: createDescribe(ask),
      descriptions: createDescriptions({ store, clock, log }),
      clock,
      problem,
    }),
  }
}
