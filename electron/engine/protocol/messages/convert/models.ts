import type { Effort } from '../../canonical/request.ts'
import { effortFor } from '../../chat/convert/models.ts'

/**
 * The traits of Claude models, by version. Sources: Anthropic's model pages (adaptive thinking, effort, sampling,
 * system messages in the middle of a conversation). Other names are other vendors' endpoints that speak Messages.
 */
export interface ModelTraits {
  /**
   * `budget`: `enabled` with tokens only; `either`; `adaptive` only, steered by effort; `both`: enabled, and effort
   * beside it
   */
  thinking: 'none' | 'budget' | 'either' | 'adaptive' | 'both'
  /** the effort it takes for one that is asked: `max` came with 4.6, `xhigh` with 4.7 */
  effort(asked: Effort): Effort
  /** whether temperature and top_p are taken together, one of them, or none */
  sampling: 'both' | 'one' | 'none'
  /** takes messages of role `system` after a user's message */
  systemMessages: boolean
  /** refuses thinking without a signature of its own */
  signs: boolean
}

const name = /claude-(?:(opus|sonnet|haiku|fable|mythos)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/
const other = { thinking: 'both', sampling: 'both', systemMessages: false, signs: false } as const

export function traitsOf(model: string): ModelTraits {
  const found = name.exec(model)
  if (!found) return { ...other, effort: (asked) => effortFor(model, asked) }
  const [, family, major = '0', minor = '0'] = found
  const version = Number(major) * 100 + Number(minor)
  return {
    thinking: version < 307 ? 'none' : version < 406 ? 'budget' : version < 407 ? 'either' : 'adaptive',
    effort: (asked) => (asked === 'xhigh' && version < 407 ? 'high' : asked),
    sampling: version < 401 ? 'both' : version < 407 ? 'one' : 'none',
    // Only the vendor's own endpoint has such names; sonnet and haiku are not known to take them.
    systemMessages: version >= 408 && family !== 'sonnet' && family !== 'haiku' && model.startsWith('claude-'),
    signs: true,
  }
}
