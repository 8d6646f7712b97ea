import type { RecordEvent } from '../../../../shared/events.ts'
import type { RequestKind } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import { stripUserText } from '../../markers/index.ts'
import { imageEdits, imagesOf, mayHoldImage, type ImagePlace } from '../../protocol/images.ts'
import type { RequestLens } from '../../protocol/types.ts'
import type { RouteChoice } from '../../router/types.ts'
import { personTexts } from '../../sessions/identify/person-text.ts'
import type { DescribeImages, Described, UnseenImage } from '../../servertools/vision-auto/index.ts'
import type { Turn } from '../turn.ts'

export interface SeeImagesDeps {
  /** vision_auto is switched on */
  isOn(): boolean
  /** where the turn would go now; changes nothing. null: nowhere */
  peek(turn: Turn): { choice: Pick<RouteChoice, 'provider' | 'upstreamModel'> } | null
  describeImages: DescribeImages
  clock: Pick<Clock, 'monotonic'>
  record: RecordEvent
}

/**
 * For these a model is asked. A count is only a number, a title or a suggestion not worth it: they get what is known
 * already, so that their prompts begin as those of the turns do.
 */
const worthAsking: ReadonlySet<RequestKind> = new Set(['turn', 'subagent', 'compaction'])

/**
 * Puts descriptions in the places of images when the chosen model can't see, in the whole conversation: such a model
 * refuses a request for one image anywhere. Comes behind `strip`; edits and nothing else.
 */
export function createSeeImages(deps: SeeImagesDeps): (turn: Turn) => Promise<void> {
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
      // The turn goes on as the client sent it, whatever comes of that.
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

/** Requests of Onward's own are what images are described with. */
const concerns = ({ call, ownAnswer }: Turn): boolean =>
  !call.internal && ownAnswer === null && call.endpoint !== 'compact'

/** As far as the config says: of most models it says nothing, and they get to see. */
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

/** What a tool gave goes with the user message it was called for. */
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
