import { OnwardError } from '../../base/errors.ts'
import type { Secrets } from '../../config/secrets-file.ts'

/** Stores a key apart from the config. @returns the name it is found by */
export async function keepSecret(secrets: Secrets, name: string, value: string): Promise<string> {
  // A secret that is there already may belong to a key whose removal can still be undone.
  let ref = name
  for (let n = 2; (await secrets.get(ref)) !== null; n++) ref = `${name}-${n}`
  await secrets.set(ref, value)
  return ref
}

/** @throws OnwardError `bad-key` */
export function checkedKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new OnwardError('bad-key', 'That is no key: it is empty, or holds spaces or characters that no key has.', {
    status: 400,
  })
}
