import { asName, asObject, type JsonObject } from '../../values.ts'
import { errorIn } from '../../observe/errors.ts'

/** google.rpc.Status: the name of the status says more than its number. */
export function readError(body: JsonObject): { code: string | null; message: string | null } {
  const error = errorIn(body)
  return { code: asName(asObject(body['error'])?.['status']) ?? error?.code ?? null, message: error?.message ?? null }
}
