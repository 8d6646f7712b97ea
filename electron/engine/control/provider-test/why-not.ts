import { createRedactor } from '../../secrets/redact.ts'
import type { ProviderTest } from '../../../../shared/routing.ts'
import type { InternalAnswer } from '../../pipeline/internal-calls/internal-call.ts'
import { errorSentence } from './ask-for.ts'
import type { TriedKey } from './keys-to-try.ts'

/** Why a provider gave no answer, in words, with what it says itself and without the key it was asked with. */
export function whyNot(
  id: string,
  model: string | null,
  key: TriedKey,
  { status, body, error }: Pick<InternalAnswer, 'status' | 'body' | 'error'>,
  models: readonly string[],
): Pick<Extract<ProviderTest, { kind: 'failed' }>, 'status' | 'code' | 'message' | 'said' | 'lists'> {
  if (error !== null) return { status: null, code: error.code, message: hidden(error.message, key) }
  const words = errorSentence(body)
  const said = words === null ? null : cut(hidden(words, key))
  const its = said === null ? '' : ` It says: ${said}`
  const name = key === null ? 'Access' : `The key “${key.alias}”`
  if (status === 401 || status === 403)
    return { status, code: 'key-refused', said, message: `${name} was refused (${status}).${its}` }
  if (status === 404 && model !== null) {
    const lists =
      models.length === 0
        ? ' It lists no models either: check its baseUrl.'
        : models.includes(model)
          ? ''
          : ` It lists ${models.slice(0, 8).join(', ')}${models.length > 8 ? ` and ${models.length - 8} more` : ''}.`
    return {
      status,
      code: 'model-unknown',
      said,
      lists: models.slice(0, 8),
      message: `${id} does not know the model “${model}” (404).${lists}${its}`,
    }
  }
  if (status === 429) return { status, code: 'limit', said, message: `A limit is reached (429).${its}` }
  return { status, code: 'refused', said, message: `${id} answered with status ${status ?? 'none'}.${its}` }
}

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 299)}…` : text)
/** A provider that repeats the key it was given would put it on the screen and into logs. */
const hidden = (text: string, key: TriedKey): string => createRedactor(key === null ? [] : [key.value]).text(text)
