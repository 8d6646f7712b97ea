import { Frame } from '../answer/frame.ts'

/**
 * The event with other data, under its old name. Line breaks can only stand between JSON's signs, where a space does as
 * well.
 */
export function eventBytes(event: Pick<Frame, 'name'>, data: Buffer): Buffer {
  const oneLine = data.includes(0x0a) ? Buffer.from(data.toString('latin1').replaceAll('\n', ' '), 'latin1') : data
  const head = event.name === '' ? 'data: ' : `event: ${event.name}\ndata: `
  return Buffer.concat([Buffer.from(head), oneLine, Buffer.from('\n\n')])
}

/** ... as a frame. */
export const eventFrame = (event: Pick<Frame, 'name'>, data: Buffer): Frame =>
  Frame.of(eventBytes(event, data), data, event.name)

/** Comments, which keep a connection alive. */
export const isKeepAlive = (event: Frame): boolean =>
  !event.says && /^[\r\n]*:/.test(event.raw.toString('latin1', 0, 16))

/** Stray line ends. */
export const isBlank = (event: Frame): boolean => !event.says && !/[^\r\n]/.test(event.raw.toString('latin1', 0, 16))
