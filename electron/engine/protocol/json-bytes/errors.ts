import { OnwardError } from '../../base/errors.ts'

/** `offset` is in bytes. */
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

/** `offset` is in bytes. */
export const duplicateKey = (key: string, offset: number): OnwardError =>
  new OnwardError(
    'duplicate-key',
    `The body names “${key.slice(0, 64)}” twice, again at byte ` +
      `${offset}. Only one of them could count: leave the other out.`,
    { status: 400, details: { offset } },
  )

export const tooComplex = (most: number): OnwardError =>
  new OnwardError(
    'too-complex',
    `The body holds more than ${most} values. Nothing a model could read has as many: ` +
      'leave some messages or tools out.',
    { status: 400 },
  )
