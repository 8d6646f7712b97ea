import type { JsonObject } from '../values.ts'
import { adaptTools, type AdaptedTools } from './tools/adapt-tools.ts'
import { withCacheMarks } from './cache-marks.ts'
import type { Emit } from './answer.ts'
import type { ConversionCodec, WriteTarget } from './codec.ts'
import { saidByUser } from './instructions-only.ts'
import { withoutPhases, withPhases } from './thinking/phases.ts'
import { lossName } from './loss-names.ts'
import type { CanonicalRequest, WireProtocol } from './request.ts'
import { formatAsAllowed } from './tools/format-schema.ts'
import { searchAsAllowed } from './web-search.ts'
import { withLoneReferences } from './tools/lone-references.ts'
import { withPicturesOfTexts } from './tools/pictures-in-text.ts'
import { strictRules } from './tools/schema-rules.ts'
import { strictAsAllowed } from './tools/strict-schema.ts'
import { uniqueTools } from './tools/unique-tools.ts'

export interface ConvertedRequest {
  /** path and query below the provider's root */
  path: string
  body: Buffer
  /** the client's request, with its own names */
  request: CanonicalRequest
  /** members the provider's protocol can't express, by the client's own names (`lossName`) */
  dropped: readonly string[]
  tools: AdaptedTools
  restore(emit: Emit): Emit
}

/** Reads a client's request body. @throws OnwardError `bad-request` (400) */
export const readCanonical = (from: ConversionCodec, body: JsonObject, path: string): CanonicalRequest =>
  withPicturesOfTexts(withPhases(from.readRequest(body, { path })))

/** Writes the request in another protocol. `client`: the client's protocol, by whose names losses are recorded. */
export function writeCanonical(
  request: CanonicalRequest,
  to: ConversionCodec,
  target: WriteTarget,
  client?: WireProtocol,
): ConvertedRequest {
  const phased = to.protocol === 'responses' ? { request, dropped: [] } : withoutPhases(request)
  const said = to.protocol === 'chat' ? { request: phased.request, dropped: [] } : saidByUser(phased.request)
  const searched = searchAsAllowed(withLoneReferences(said.request), to, target.model)
  const unique = uniqueTools(searched.request.tools)
  const rules = strictRules[to.protocol]
  const formed = formatAsAllowed(searched.request.format, rules)
  const strict = strictAsAllowed(unique.tools, formed.format, rules)
  const asked = { ...searched.request, tools: strict.tools, format: formed.format }
  const adapted = adaptTools(to.protocol === 'messages' ? withCacheMarks(asked) : asked, to)
  const written = to.writeRequest(adapted.request, target)
  return {
    path: written.path,
    body: Buffer.from(JSON.stringify(written.body)),
    request,
    dropped: [
      ...new Set([
        ...request.unread,
        ...[phased, said, searched, unique, formed, strict, written]
          .flatMap(({ dropped }) => dropped)
          .map((name) => (client ? lossName(name, client) : name)),
      ]),
    ],
    tools: adapted.tools,
    restore: adapted.restore,
  }
}
