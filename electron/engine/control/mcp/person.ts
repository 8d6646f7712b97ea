/** A person's yes, asked for through the client that a program runs in. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { OnwardError } from '../../base/errors.ts'
import type { Call } from './types.ts'

export type PersonSaid = 'yes' | 'no' | 'not-asked'

/** A person may be away for a while. */
const WITHIN_MS = 10 * 60_000

/** Nothing is set before a person chooses: a client that accepts by itself has not said yes. */
export async function askPerson(
  { server, signal, requestId }: Call,
  message: string,
  what: string,
): Promise<PersonSaid> {
  const able = server.getClientCapabilities()?.elicitation
  // one that names no way can do forms (2025-06-18)
  if (!able || (able.url && !able.form)) return 'not-asked'
  const asked = {
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: { yes: { type: 'boolean' as const, title: what, description: 'Only a person may say so.' } },
      required: ['yes'],
    },
  }
  const { action, content } = await server
    .elicitInput(asked, { timeout: WITHIN_MS, signal, relatedRequestId: requestId })
    .catch((error: unknown) => {
      // accepted, and nothing was chosen
      if (error instanceof McpError && error.code === ErrorCode.InvalidParams)
        return { action: 'decline' as const, content: undefined }
      throw error
    })
  return action === 'accept' && content?.['yes'] === true ? 'yes' : 'no'
}

export const saidNo = (): OnwardError =>
  new OnwardError('person-said-no', 'The person did not say yes, so nothing was done. Do not ask again by yourself.', {
    status: 403,
  })
