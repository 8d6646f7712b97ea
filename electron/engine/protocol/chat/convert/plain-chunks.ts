import type { Frame } from '../../answer/frame.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Mutable } from '../../../base/mutable.ts'
import { decodeString, type Span } from '../../json-bytes/index.ts'
import { stringBehind, sameAround } from '../../observe/peek.ts'
import { asName, asObject, type JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'

/**
 * Most chunks of an answer say a few words and differ in nothing else. Where a chunk is, apart from its words, byte for
 * byte like a plain one that was read, only its words are read: parsing it would yield nothing else that is new.
 */
export interface PlainChunks {
  /** the plain chunk that was read last, and its choice */
  readonly like: { value: JsonObject; choice: JsonObject } | null
  /** the words of a chunk like that one; null: it is a different one */
  wordsIn(frame: Frame): string | null
  /** a chunk that was read, and had one choice */
  read(frame: Frame, value: JsonObject, choice: JsonObject): void
}

export function plainChunks(): PlainChunks {
  const around = sameAround()
  const chunks: Mutable<PlainChunks> = {
    like: null,
    wordsIn(frame) {
      if (chunks.like === null || frame.truncated) return null
      const token = around.tokenIn(frame)
      return token && textOf(frame.dataSource, token)
    },
    read(frame, value, choice) {
      if (!isPlain(value, choice)) return
      const { latin1 } = frame
      // Where a member stands twice, the last one counts.
      const token = latin1.indexOf(content) === latin1.lastIndexOf(content) ? stringBehind(latin1, 'content') : null
      if (!token) return
      around.learn(frame, token)
      chunks.like = { value, choice }
    },
  }
  return chunks
}

const content = '"content"'
/** null where it is no valid string: parsing the chunk finds that out. */
function textOf(bytes: Buffer, token: Span): string | null {
  try {
    return decodeString(bytes, token)
  } catch (error) {
    if (OnwardError.isInstance(error) && error.code === 'bad-json') return null
    throw error
  }
}

/**
 * True if a chunk says words as text, and nothing else that could count twice: at most names and numbers beside them.
 */
function isPlain(value: JsonObject, choice: JsonObject): boolean {
  const delta = asObject(choice['delta'])
  if (!delta || asName(delta['content']) === null || !facts.isFirst(choice)) return false
  for (const name in value) if (name !== 'choices' && !isScalar(value[name])) return false
  for (const name in choice) if (name !== 'delta' && name !== 'index' && !isNothing(choice[name])) return false
  for (const name in delta) if (name !== 'content' && name !== 'role' && !isNothing(delta[name])) return false
  return true
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
const isNothing = (value: unknown): boolean => value === null || value === ''
