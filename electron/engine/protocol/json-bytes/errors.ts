import { OnwardError } from '../../base/errors.ts'

/** `offset` in bytes. */
export const badJson = (reason: string, offset: number, cause?: unknown): OnwardError =>
  new OnwardError('bad-json', `The body is not valid JSON: ${reason} at byte ${offset}.`, {
    status: 400,
    details: { offset },
    cause,
  })

export const badUtf8 = (offset: number): OnwardError =>
  new OnwardError('bad-utf8', `The body is not valid UTF-8: a broken character at byte ${offset}.`, {
    status: 400,
    details: { offset },
  })
