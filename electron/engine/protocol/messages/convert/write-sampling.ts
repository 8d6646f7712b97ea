import type { CanonicalRequest } from '../../canonical/request.ts'
import type { ModelTraits } from './models.ts'
import type { Dropped } from './write-parts.ts'

/**
 * With thinking Anthropic takes no temperature and no top_k, and top_p only from 0.95 on; newer models take none of
 * them, the ones before not temperature and top_p together.
 */
export function writeSampling(
  request: CanonicalRequest,
  { sampling }: ModelTraits,
  thinks: boolean,
  body: Record<string, unknown>,
  dropped: Dropped,
): void {
  const { temperature, topP, topK } = request
  const free = sampling !== 'none' && !thinks
  // 1 is the default.
  if (temperature !== null && (free || temperature !== 1)) {
    if (free) body['temperature'] = Math.min(Math.max(temperature, 0), 1)
    if (body['temperature'] !== temperature) dropped.add('temperature')
  }
  if (topP !== null) {
    const fits =
      sampling !== 'none' && topP >= (thinks ? 0.95 : 0) && topP <= 1 && !(sampling === 'one' && 'temperature' in body)
    if (fits) body['top_p'] = topP
    else if (topP !== 1) dropped.add('top_p')
  }
  if (topK !== null) {
    if (free) body['top_k'] = topK
    else dropped.add('top_k')
  }
}
