import type { RecordEvent } from '../../../../shared/events.ts'
import type { RequestKind } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import { stripUserText } from '../../markers/index.ts'
import { imageEdits, imagesOf, mayHoldImage, type ImagePlace } from '../../protocol/images/images.ts'
import type { RequestLens } from '../../protocol/types.ts'
import type { RouteChoice } from '../../router/types.ts'
import { personTexts } from '../../sessions/identify/person-text.ts'
import type { DescribeImages, Described, UnseenImage } from '../../servertools/vision-auto/index.ts'
import type { Turn, Writing } from '../turn.ts'

export interface SeeImagesDeps {
  /** vision_auto is switched on */
  isOn(): boolean
  /** the choice that the turn would get now; changes nothing. null: none */
  peek(turn: Turn): { choice: Pick<RouteChoice, 'provider' | 'upstreamModel'> } | null
  describeImages: DescribeImages
  clock: Pick<Clock, 'monotonic'>
  record: RecordEvent
}

/**
 * Only for these a model is asked. A count is only a number, a title or a suggestion not worth it: they get the known
 * descriptions, so that their prompts begin as those of the turns do.
 */
const worthAsking: ReadonlySet<RequestKind> = new Set(['turn', 'subagent', 'compaction'])

/**
 * Replaces images by descriptions when the chosen model can't see, in the whole conversation: such a model refuses a
 * request for one image anywhere. Comes after `strip`; only adds edits.
 */
export function createSeeImages(deps: SeeImagesDeps): (turn: Writing<'draft'>) => Promise<void> {
  return async (turn) => {
    const { lens } = turn.draft
    if (!concerns(turn) || !deps.isOn() || !mayHoldImage(lens) || !isBlind(deps.peek(turn))) return
    const images = imagesOf(lens)
    if (images.length === 0) return
    const began = deps.clock.monotonic()
    const where = { sessionId: turn.identity.sessionId, scope: turn.identity.scope, requestId: turn.call.requestId }
    const took = () => Math.round(deps.clock.monotonic() - began)
    try {
      const seen = await deps.describeImages(
        images.map((image) => unseen(turn, image)),
        turn.call.endpoint === 'generate' && worthAsking.has(turn.identity.kind),
      )
      const edits = imageEdits(lens, (image) => seen.texts.get(image.hash()) ?? null, images)
      turn.draft = { ...turn.draft, images: edits }
      tell(seen, took(), (body) => deps.record(where, body))
    } catch (error) {
      // The turn goes on as the client sent it, whatever the outcome.
      deps.record(where, {
        type: 'servertool-failed',
        tool,
        round: 1,
        ms: took(),
        code: 'internal',
        message: messageOf(error),
      })
    }
  }
}

const tool = 'vision_auto'

/** Not for Onward's own requests: they are how images get described. */
const concerns = ({ call, ownAnswer }: Turn): boolean =>
  !call.internal && ownAnswer === null && call.endpoint !== 'compact'

/** By the config, which says nothing of most models: they get the images. */
const isBlind = (peeked: ReturnType<SeeImagesDeps['peek']>): boolean =>
  peeked !== null && peeked.choice.provider.models[peeked.choice.upstreamModel]?.vision === false

const unseen = ({ draft: { lens }, identity: { client } }: Turn, image: ImagePlace): UnseenImage => ({
  hash: image.hash(),
  asked: image.asked,
  source: image.source,
  question: () =>
    stripUserText(
      personTexts(client, textsWith(lens, image))
        .filter((text) => text !== '')
        .join('\n'),
      'strip',
    ),
})

/** Returns the texts beside an image; a tool's image goes with the user message it was called for. */
function textsWith(lens: RequestLens, { item }: ImagePlace): string[] {
  const texts = lens.userTexts()
  const before = lens.items().findIndex(({ start }) => start === item.start)
  const message = texts.findLast(({ messageIndex }) => messageIndex <= before)?.messageIndex
  return texts.filter(({ messageIndex }) => messageIndex === message).map((text) => text.text())
}

function tell(
  { described, by, leftOut, failures }: Described,
  ms: number,
  record: (body: Parameters<RecordEvent>[1]) => void,
): void {
  const said = [
    ...(described > 0 ? [`${images(described)} described by ${by.join(' and ')}`] : []),
    ...(leftOut > 0 ? [`${images(leftOut)} of the history left without a description`] : []),
  ]
  if (said.length > 0) record({ type: 'servertool-reacted', tool, ms, note: said.join(', ') })
  const [first] = failures
  if (first)
    record({
      type: 'servertool-failed',
      tool,
      round: 1,
      ms,
      code: first.code,
      message: `${images(failures.length)} could not be described: ${first.message}`,
    })
}

const images = (count: number): string => (count === 1 ? '1 image' : `${count} images`)
