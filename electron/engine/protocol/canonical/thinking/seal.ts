import type { Seal, WireProtocol } from '../request.ts'

/** Begins every seal of one vendor in a field of another's protocol. */
export const sealMark = 'onward.1.'

/**
 * How a seal stands in a client's own field: a provider's own as it is, one of another protocol wrapped, so that the
 * client hands it back unharmed.
 */
export function sealForClient(seal: Seal, client: WireProtocol): string {
  const plain = seal.of === client && seal.id === undefined && !seal.redacted
  const { of, ...rest } = seal
  // `of` stands first: the search for seals in a request goes by it (foreign-seals.ts)
  return plain ? seal.data : sealMark + Buffer.from(JSON.stringify({ of, ...rest })).toString('base64url')
}

/** Reads the seal in such a field. One without our mark is the client's own protocol's. */
export function sealFromClient(field: string, client: WireProtocol): Seal {
  if (!field.startsWith(sealMark)) return { of: client, data: field }
  try {
    const value: unknown = JSON.parse(Buffer.from(field.slice(sealMark.length), 'base64url').toString('utf8'))
    if (isSeal(value) && hasWholePhase(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { of: client, data: field }
}

/** Clients are free to change what they hand back. */
const hasWholePhase = ({ phase }: Seal): boolean =>
  phase === undefined ||
  (typeof phase === 'object' && typeof phase?.at === 'number' && phase.at >= 0 && typeof phase.before === 'string')

const isSeal = (value: unknown): value is Seal =>
  typeof value === 'object' &&
  value !== null &&
  'of' in value &&
  typeof value.of === 'string' &&
  'data' in value &&
  typeof value.data === 'string'
