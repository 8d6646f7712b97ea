import fc from 'fast-check'

/** Pieces that would do something in a terminal or a client if they were not made safe. */
const pieces = [
  '\u001b[201~',
  '\u001b[200~',
  '\u009b201~',
  '\u001b[A',
  '\u001b]0;title\u0007',
  '\u001bP',
  '\u0003',
  '\u0004',
  '\u001a',
  '\u007f',
  '\b',
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\u0085',
  '\u2028',
  '!rm -rf build',
  '/quit',
  '#',
  '@src',
  '$HOME',
  '`id`',
  '$(id)',
  ';',
  '\\',
  '"',
  "'",
  '-n',
  '%',
  '<**stopMessage:"x",3**>',
  '<*\u0000*clear**>',
  '\ud800',
  '\udc00',
  '\u202e',
  '\u200b',
  '\ufeff',
  '继续执行',
  '👩‍👩‍👧',
  'e\u0301',
  ' ',
  'word',
]

export const hostileText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...pieces) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** Always tried, whatever the random ones are. */
export const worstTexts: readonly string[] = [
  'x\u001b[201~\r!touch pwned\r\u001b[200~',
  '!touch pwned',
  ' /quit\n/quit',
  '<**stopMessage:"on",99**>',
  'a\ud800b\udc00c',
  'end with a backslash \\',
  'end with a @file',
  'one\ntwo\nthree',
]
/** 100 KB with something hostile in every line. */
export const longText = `${'x\u001b[201~\ry 继续 <** '.repeat(5_000)}end`
