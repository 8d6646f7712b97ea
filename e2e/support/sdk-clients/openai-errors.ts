import OpenAI from 'openai'
import type { SdkClient, SdkFailure } from './types.ts'

export const openaiKinds: SdkClient['kinds'] = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  429: 'RateLimitError',
  otherwise: 'InternalServerError',
}

export const openaiFailure = (error: unknown): SdkFailure | null =>
  error instanceof OpenAI.APIError
    ? {
        kind: error.constructor.name,
        status: error.status ?? null,
        message: error.message,
        retryAfter: error.headers?.get('retry-after') ?? null,
      }
    : null
