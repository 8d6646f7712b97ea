/** JSON as bytes that a parser and a writer would not give back as they were: for tests of byte fidelity. */
import fc from 'fast-check'

/** White space that JSON allows, carriage returns included. */
export const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t', '  \n ')

const number = fc.constantFrom(
  '0',
  '-0',
  '1.50',
  '1E400',
  '-1e-999',
  '12345678901234567890123456789',
  '0.1e1',
  '1.0',
  '9007199254740993',
  '100',
)

/** Pieces of a string as they stand between its quotes. None is the end of a marker. */
const stringPiece = fc.constantFrom(
  'a',
  'plain words ',
  '世界',
  '👋',
  'é',
  '\u2028',
  '\u007f',
  '\\u00e4',
  '\\ud83d',
  '\\udc4b',
  '\\ud83d\\ude00',
  '\\/',
  '\\"',
  '\\\\',
  '\\n',
  '\\r\\n',
  '\\t',
  '\\u0000',
  '\\u003C',
  '<',
  '*',
  '<*',
  '<**',
  '\\u003c**',
  '`',
  '```',
  '~~~',
  '\\u005c',
  '{\\"a\\":[',
  'data: ',
  '[DONE]',
  'x'.repeat(40),
)
/** A string token, quotes included. */
export const stringToken = fc.array(stringPiece, { maxLength: 6 }).map((pieces) => `"${pieces.join('')}"`)

const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    number,
    fc.constantFrom('true', 'false', 'null', '{}', '[ ]'),
    stringToken,
    tie('list'),
    tie('object'),
  ),
  list: fc
    .array(
      fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
      { maxLength: 4 },
    )
    .map((items) => `[${items.join(',')}]`),
  object: fc.uniqueArray(fc.tuple(keyToken(), tie('value')), { maxLength: 4, selector: keyOf }).chain(objectOf),
}))
/** Any JSON value, oddly written. */
export const anyValue = value

function keyOf([key]: readonly [string, string]): unknown {
  return JSON.parse(key)
}

/** Also empty ones, and ones written with escapes. */
function keyToken(): fc.Arbitrary<string> {
  return fc.constantFrom(
    '"x_unknown"',
    '"zz"',
    '""',
    '"世"',
    '"a.b"',
    '"\\u0061"',
    '"a"',
    '"metadata2"',
    '"\\ud800"',
    '"x-very-long-name-of-a-member-that-nobody-knows"',
  )
}

/** An object of these members in any order, with odd white space. */
export function objectOf(members: readonly (readonly [key: string, value: string])[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.shuffledSubarray([...members], { minLength: members.length }),
      fc.array(space, { minLength: members.length * 4 + 1, maxLength: members.length * 4 + 1 }),
    )
    .map(([order, spaces]) => {
      const written = order.map(
        ([key, text], i) =>
          `${spaces[i * 4]}${key}${spaces[i * 4 + 1]}:${spaces[i * 4 + 2]}${text}${spaces[i * 4 + 3]}`,
      )
      return `{${written.join(',')}${spaces.at(-1)}}`
    })
}

/** Members nobody knows. No key may stand twice, however it is written. */
export const oddMembers = fc.uniqueArray(fc.tuple(keyToken(), value), { maxLength: 5, selector: keyOf })

/** Offsets for cutting `length` bytes into pieces. */
export const cutsOf = (length: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.integer({ min: 1, max: Math.max(1, length - 1) }), { maxLength: 8 })

/** The bytes in pieces, cut anywhere, also inside a character. */
export function inPieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const bounds = [0, ...[...cuts].filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
  return bounds.slice(1).map((end, i) => bytes.subarray(bounds[i], end))
}
