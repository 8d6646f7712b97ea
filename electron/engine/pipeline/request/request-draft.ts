import type { ClientKind } from '../../../../shared/words.ts'
import { bearsTimeTag } from '../../protocol/append/moving-mark.ts'
import { modelEdits, splice, splicedPieces, type Edit } from '../../protocol/index.ts'
import { serverToolCodecOf } from '../../protocol/server-tools.ts'
import type { EntryCodec, RequestLens } from '../../protocol/types.ts'
import type { RouteChoice } from '../../router/types.ts'
import { profileOf } from '../../sessions/clients/index.ts'

/**
 * A request on its way up: its body as read, and the edits to make in it. Each stage adds its own part, and the bytes
 * are put together once, when it is known which model they go to. It is a value: a stage gives its turn a new one, and
 * a holder of an old one keeps it as it was.
 */
export interface RequestDraft {
  /** of the request's body; the places of all edits are places in it */
  readonly lens: RequestLens
  /** reads another body of the same request */
  readonly read: (body: Buffer) => RequestLens
  /** for every model: markers taken out */
  readonly edits: readonly Edit[]
  /** for a model that takes tools: Onward's own declared */
  readonly tools: readonly Edit[]
  /** for a model that can't see: descriptions in the places of images */
  readonly images: readonly Edit[]
  /** a user message after the last: due alarms. It is in every request of an exchange */
  readonly reminder: Buffer | null
  /** the line with the time, after everything. It is in an exchange's first request alone */
  readonly time: string | null
}

const none: readonly Edit[] = []

export function draftOf(
  codec: EntryCodec,
  body: Buffer,
  path?: string,
  client: ClientKind | null = null,
): RequestDraft {
  const read = (bytes: Buffer): RequestLens => saidLast(codec.read(bytes, path), client)
  return unchanged(read(body), read)
}

/** A draft without changes. */
export const unchanged = (lens: RequestLens, read: RequestDraft['read']): RequestDraft => ({
  lens,
  read,
  edits: none,
  tools: none,
  images: none,
  reminder: null,
  time: null,
})

/**
 * Applies these edits and those for every model to the draft's bytes, for what a later stage has to read: what earlier
 * answers hid, another tool list. Comes before tools and images, whose places it would move.
 */
export function rewritten(draft: RequestDraft, edits: readonly Edit[]): RequestDraft {
  if (edits.length === 0) return draft
  if (draft.tools.length + draft.images.length > 0) throw new RangeError('The edits of this draft have their places.')
  return { ...draft, lens: draft.read(splice(draft.lens.body, [...draft.edits, ...edits])), edits: none }
}

/**
 * Returns the edits of the request for this choice, in the order in which inserts at one place go. The config says what
 * a model takes: a sighted one that steps in gets the images themselves. `choice` null: Onward counts the request
 * itself.
 */
function editsFor(draft: RequestDraft, choice: RouteChoice | null, round: 'first' | 'further'): Edit[] {
  const model = choice?.provider.models[choice.upstreamModel]
  const tellsTime =
    draft.time !== null &&
    round === 'first' &&
    model?.timeTag !== false &&
    (choice === null || bearsTimeTag(draft.lens, choice.upstreamModel))
  const edits = [...draft.edits]
  if (model?.tools !== false) edits.push(...draft.tools)
  if (choice === null || model?.vision === false) edits.push(...draft.images)
  edits.push(...behindLast(draft, tellsTime ? draft.time : null))
  return edits
}

function behindLast({ lens, reminder }: RequestDraft, line: string | null): readonly Edit[] {
  if (line === null && reminder === null) return none
  const serverTools = serverToolCodecOf(lens.protocol)
  const tag = line === null ? none : serverTools.appendTimeTag(lens, line)
  if (reminder === null) return tag
  const items = line === null || tag.length === 0 ? [reminder] : [reminder, serverTools.userItem(line)]
  return serverTools.appendAfterLast(lens, items)
}

/** Returns the edits of the request's bytes for this choice, under the model's name that the client gave. */
export const changesFor = (draft: RequestDraft, choice: RouteChoice | null): readonly Edit[] =>
  editsFor(draft, choice, 'first')

/** Returns the request's bytes with these edits. */
export const bytesFor = (draft: RequestDraft, choice: RouteChoice | null): Buffer =>
  splice(draft.lens.body, changesFor(draft, choice))

/** The same under the choice's own name for its model, in pieces: the unchanged parts of a long body are not copied. */
export function piecesFor(draft: RequestDraft, choice: RouteChoice): readonly Buffer[] {
  const edits = editsFor(draft, choice, 'first')
  edits.push(...modelEdits(draft.lens, choice.upstreamModel))
  return splicedPieces(draft.lens.body, edits)
}

/** Returns the client's own request, read: the draft's may have been rewritten. */
export const asItCame = ({ lens, read }: RequestDraft, body: Buffer): RequestLens =>
  lens.body === body ? lens : read(body)

/** Returns the base of a further round of the exchange: the request with everything in it but the time. */
export function furtherRound(draft: RequestDraft, choice: RouteChoice | null): RequestDraft {
  const { lens, read } = draft
  const body = splice(lens.body, editsFor(draft, choice, 'further'))
  return unchanged(body === lens.body ? lens : read(body), read)
}

/**
 * Returns the request as if it ended with a person's words: some clients put reminders of their own after a person's
 * message, with the user's role (Kimi Code 2.1: the date, plan mode). They stay in the body as they are.
 */
export function saidLast(lens: RequestLens, client: ClientKind | null): RequestLens {
  const start = client && profileOf(client).behind
  if (!start) return lens
  let last: ReturnType<RequestLens['lastMessage']> = null
  const lastMessage = () => (last ??= lens.lastMessage((text) => text.startsWith(start)))
  return { ...lens, lastMessage, asked: () => lens.items().slice(lastMessage()?.index) }
}
