import type { InvalidCommand, InvalidMarkerCode } from '../types.ts'

export const invalid = (code: InvalidMarkerCode, message: string): InvalidCommand => ({
  kind: 'invalid',
  code,
  message,
})

/** Cuts a person's text so that it fits into a sentence. */
export const shorten = (written: string): string => (written.length > 40 ? `${written.slice(0, 40)}…` : written)
