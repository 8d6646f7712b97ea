import { OnwardError } from '../../base/errors.ts'
import { dataUrl } from '../../protocol/canonical/codec.ts'
import type { Source } from '../../protocol/canonical/request.ts'
import { conversionOf } from '../../protocol/conversions.ts'
import { asObject, parseObject, type JsonObject } from '../../protocol/values.ts'
import type { AskVision } from '../../servertools/vision-auto/index.ts'
import type { InternalCall } from './internal-call.ts'

export interface AskVisionDeps {
  call: InternalCall
  /** the provider and model that answered a request of Onward's own; null: none did, or it is unknown */
  servedBy(requestId: string): { provider: string; model: string } | null
  /** the config says that it sees no images */
  isBlind(provider: string, model: string): boolean
}

/** Asks a question about an image, in Chat, of the route `vision`, through the pipeline that every call takes. */
export function createAskVision({ call, servedBy, isBlind }: AskVisionDeps): AskVision {
  return async ({ instructions, text, image }, withinMs) => {
    const answer = await call({
      entry: 'chat',
      path: '/v1/chat/completions',
      kind: 'probe',
      withinMs,
      body: {
        // names the route (router/candidates.ts)
        model: 'vision',
        messages: [
          { role: 'system', content: instructions },
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: addressOf(image) } },
              { type: 'text', text },
            ],
          },
        ],
        stream: false,
      },
    })
    if (answer.error) throw answer.error
    const route = servedBy(answer.requestId)
    const by = route ? `${route.provider}.${route.model}` : 'the route “vision”'
    const body = parseObject(answer.body)
    if (answer.status === null || answer.status >= 400) throw refused(by, answer.status, body)
    // After the route's own models come those of `default`: one that can't see would make up its description.
    if (route && isBlind(route.provider, route.model))
      throw new OnwardError('vision-blind', `No model of the route “vision” answered, and ${by} can’t see either.`, {
        status: 502,
      })
    if (!body)
      throw new OnwardError('bad-answer', `${by} answered with something that is no Chat answer.`, { status: 502 })
    return { text: textOf(body, by), by }
  }
}

/** @throws OnwardError `image-unreadable` */
function addressOf(image: Source): string {
  switch (image.kind) {
    case 'data':
      return dataUrl(image.mediaType, image.base64)
    case 'url':
      return image.url
    case 'id':
      throw new OnwardError('image-unreadable', 'An uploaded image can be opened by its own provider only.')
  }
}

function refused(by: string, status: number | null, body: JsonObject | null): OnwardError {
  const said = body ? conversionOf.chat.readError(body).message : null
  return new OnwardError(
    'vision-refused',
    `${by} refused with status ${status ?? 'none'}${said === null ? '' : `: ${said}`}`,
    { status: 502 },
  )
}

/** @throws OnwardError for an error or a refusal within a good answer */
function textOf(body: JsonObject, by: string): string {
  const texts = new Map<number, string>()
  let failure: OnwardError | null = null
  conversionOf.chat.readBody(asObject(body) ?? {}, {
    emit(event) {
      if (event.type === 'error') failure = new OnwardError(event.code, event.message, { status: 502 })
      else if (event.type === 'begin' && event.part.kind === 'text') texts.set(event.block, '')
      else if (event.type === 'begin' && event.part.kind === 'refusal')
        failure ??= new OnwardError('vision-refused', `${by} declined to describe it.`, { status: 502 })
      else if (event.type === 'delta' && texts.has(event.block))
        texts.set(event.block, `${texts.get(event.block) ?? ''}${event.text}`)
    },
    dropped: () => undefined,
    unshown: () => undefined,
    newId: (prefix) => prefix,
  })
  if (failure) throw failure
  return Array.from(texts.values()).join('\n')
}
