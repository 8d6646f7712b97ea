import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { editText, type ConfigEdit } from './edit-text.ts'
import { runs } from '../../../shared/testing/runs.ts'

const read = (text: string): unknown => parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })

describe('an edit of a config text', () => {
  const mine = `// mine
{
  "providers": {
    "glm": { "type": "openai-chat" }, // the cheap one
    /* kept */ "anth": { "type": "anthropic" } // the good one
    // "old": {}
  },
  "routes": {
    "default": [
      "glm.a", // first
      "anth.b" // then
    ]
  }
}
`
  it('gives no name to what is not there', () =>
    expect(() => editText(mine, [{ path: ['providers', 'nobody'], rename: 'x' }])).toThrow('providers.nobody'))

  it.each<[string, readonly ConfigEdit[], string]>([
    [
      'gives a member another name, in its place and with all that stands in it',
      [
        { path: ['providers', 'glm', 'type'], value: 'anthropic' },
        { path: ['providers', 'glm'], rename: 'z"ai' },
      ],
      mine.replace('"glm": { "type": "openai-chat" }', '"z\\"ai": { "type": "anthropic" }'),
    ],
    [
      'adds a member at the end of an object, behind what is said of the last',
      [{ path: ['providers', 'x'], value: { type: 'simulator' } }],
      mine.replace('"anthropic" } // the good one', '"anthropic" }, // the good one\n    "x": { "type": "simulator" }'),
    ],
    [
      'removes the last member and the comma before it',
      [{ path: ['providers', 'anth'], value: undefined }],
      mine.replace(
        '"openai-chat" }, // the cheap one\n    /* kept */ "anth": { "type": "anthropic" } // the good one',
        '"openai-chat" } // the cheap one\n    /* kept */ // the good one',
      ),
    ],
    [
      'removes a member with what is said of it in its line',
      [{ path: ['providers', 'glm'], value: undefined }],
      mine.replace('    "glm": { "type": "openai-chat" }, // the cheap one\n', ''),
    ],
    [
      'changes one value in its place',
      [{ path: ['providers', 'glm', 'type'], value: 'gemini' }],
      mine.replace('openai-chat', 'gemini'),
    ],
    [
      'adds to a list',
      [{ path: ['routes', 'default'], value: ['glm.a', 'anth.b', 'x.c'] }],
      mine.replace('"anth.b" // then', '"anth.b", // then\n      "x.c"'),
    ],
    [
      'adds in the middle of a list',
      [{ path: ['routes', 'default'], value: ['glm.a', 'x.c', 'anth.b'] }],
      mine.replace('"anth.b" // then', '"x.c",\n      "anth.b" // then'),
    ],
    [
      'takes from a list',
      [{ path: ['routes', 'default'], value: ['glm.a'] }],
      mine.replace('"glm.a", // first\n      "anth.b" // then\n', '"glm.a" // first\n'),
    ],
    [
      'takes the first of a list',
      [{ path: ['routes', 'default', 0], value: undefined }],
      mine.replace('      "glm.a", // first\n', ''),
    ],
    [
      'makes what leads to it',
      [{ path: ['stopMessage', 'budgets', 'rounds'], value: 5 }],
      mine.replace('    ]\n  }\n}', '    ]\n  },\n  "stopMessage": { "budgets": { "rounds": 5 } }\n}'),
    ],
    ['removes what is not there without a trace', [{ path: ['aliases', 'x'], value: undefined }], mine],
    ['sets what is there already without a trace', [{ path: ['routes', 'default'], value: ['glm.a', 'anth.b'] }], mine],
  ])('%s', (_what, edits, expected) => {
    expect(editText(mine, edits)).toBe(expected)
  })

  it.each<[string, string, readonly ConfigEdit[], string]>([
    ['one line', '{"a":{"b":1}}', [{ path: ['a', 'c'], value: { d: [1] } }], '{"a":{"b":1, "c": { "d": [1] }}}'],
    ['one line, removed', '{"a":1,"b":2,"c":3}', [{ path: ['b'], value: undefined }], '{"a":1,"c":3}'],
    ['one line, last removed', '{ "a": 1, "b": 2 }', [{ path: ['b'], value: undefined }], '{ "a": 1 }'],
    ['one line, all removed', '{ "a": { "b": 2 } }', [{ path: ['a', 'b'], value: undefined }], '{ "a": {} }'],
    ['nothing yet', '{}', [{ path: ['a'], value: 1 }], '{ "a": 1 }'],
    [
      'CRLF and tabs',
      '{\r\n\t"a": {},\r\n}\r\n',
      [
        { path: ['a', 'b'], value: 1 },
        { path: ['c'], value: 2 },
      ],
      '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t},\r\n\t"c": 2,\r\n}\r\n',
    ],
    [
      'CRLF, removed',
      '{\r\n\t"a": 1, // x\r\n\t"b": 2\r\n}\r\n',
      [{ path: ['b'], value: undefined }],
      '{\r\n\t"a": 1 // x\r\n}\r\n',
    ],
    [
      'a byte order mark',
      '\uFEFF{\n    "a": 1\n}',
      [{ path: ['b'], value: {} }],
      '\uFEFF{\n    "a": 1,\n    "b": {}\n}',
    ],
    [
      'a comment in an empty object',
      '{\n  "a": {\n    // none yet\n  }\n}',
      [{ path: ['a', 'b'], value: 1 }],
      '{\n  "a": {\n    "b": 1\n    // none yet\n  }\n}',
    ],
    [
      'a trailing comma',
      '{\n  "a": [\n    1,\n  ],\n}',
      [
        { path: ['a'], value: [1, 2] },
        { path: ['b'], value: 2 },
      ],
      '{\n  "a": [\n    1,\n    2,\n  ],\n  "b": 2,\n}',
    ],
    ['a trailing comma, removed', '{\n  "a": 1,\n  "b": 2,\n}', [{ path: ['b'], value: undefined }], '{\n  "a": 1,\n}'],
    ['what looks like the environment', '{ "a": "x" }', [{ path: ['a'], value: '${HOME}' }], '{ "a": "$${HOME}" }'],
    [
      'a long value',
      '{\n  "a": 1\n}',
      [
        {
          path: ['b'],
          value: {
            type: 'openai-chat',
            baseUrl: 'https://api.example.com/v1/somewhere/else',
            keys: [{ alias: 'main', env: 'X' }],
          },
        },
      ],
      '{\n  "a": 1,\n  "b": {\n    "type": "openai-chat",\n    "baseUrl": ' +
        '"https://api.example.com/v1/somewhere/else",\n    "keys": [{ "alias": "main", "env": "X" }]\n  }\n}',
    ],
  ])('with %s', (_what, text, edits, expected) => {
    expect(editText(text, edits)).toBe(expected)
  })

  it('refuses a path through a number', () => {
    expect(() => editText('{ "a": 1 }', [{ path: ['a', 'b'], value: 1 }])).toThrow(/could hold a\.b/)
  })
})

describe('whatever the text and the edit', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd e')
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    ),
  }))
  /** A value as a person may write it: spaces, lines, comments and trailing commas anywhere. */
  const written = (input: unknown, pick: () => string, comma: () => boolean): string => {
    const gap = () => pick()
    const list = (parts: string[]) =>
      parts.map((part, i) => gap() + part + gap() + (i < parts.length - 1 || comma() ? ',' : '')).join('') + gap()
    if (Array.isArray(input))
      return input.length === 0 ? `[${gap()}]` : `[${list(input.map((entry) => written(entry, pick, comma)))}]`
    if (typeof input !== 'object' || input === null) return JSON.stringify(input)
    const entries = Object.entries(input)
    return entries.length === 0
      ? `{${gap()}}`
      : '{' +
          list(
            entries.map(([key, member]) => `${JSON.stringify(key)}${gap()}:${gap()}${written(member, pick, comma)}`),
          ) +
          '}'
  }
  const comments = [
    '',
    ' ',
    '\n',
    '\n  ',
    '\r\n\t',
    ' // said\n',
    '/* said */',
    '\n // said, {"x": 1}\n',
    '/* said\n */ ',
  ]

  it('the result says what was set, and no comment outside of what went is lost', () => {
    const step = fc.oneof(name, fc.nat(4))
    fc.assert(
      fc.property(
        fc.dictionary(name, value, { maxKeys: 4 }),
        fc.infiniteStream(fc.nat(comments.length - 1)),
        fc.infiniteStream(fc.boolean()),
        fc.array(step, { minLength: 1, maxLength: 3 }),
        fc.option(value, { nil: undefined }),
        (start, gaps, commas, path, set) => {
          const text = written(
            start,
            () => comments[gaps.next().value] ?? '',
            () => commas.next().value,
          )
          expect(read(text)).toEqual(start)
          const expected = structuredClone(start)
          if (!apply(expected, path, set)) return
          const result = editText(text, [{ path, value: set }])
          expect(unescaped(read(result))).toEqual(expected)
          if (set !== undefined && reach(start, path) === undefined)
            expect(result.match(/said/g)?.length ?? 0).toBeGreaterThanOrEqual(text.match(/said/g)?.length ?? 0)
        },
      ),
      runs(1500),
    )
  })

  const unescaped = (input: unknown): unknown => {
    if (typeof input === 'string') return input.replaceAll('$${', () => '${')
    if (Array.isArray(input)) return input.map(unescaped)
    return typeof input === 'object' && input !== null
      ? Object.fromEntries(Object.entries(input).map(([key, member]) => [key, unescaped(member)]))
      : input
  }
  const reach = (root: unknown, path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null && Array.isArray(at) === (typeof key === 'number')
          ? Reflect.get(at, key)
          : undefined,
      root,
    )
  /** The same on plain data. @returns whether the path can be gone */
  function apply(root: unknown, [step, ...rest]: readonly (string | number)[], set: unknown): boolean {
    if (
      step === undefined ||
      typeof root !== 'object' ||
      root === null ||
      Array.isArray(root) !== (typeof step === 'number')
    )
      return false
    if (Array.isArray(root) && typeof step === 'number') {
      if (step > root.length || (step === root.length && (set === undefined || rest.length > 0))) return false
      if (rest.length > 0) return apply(root[step], rest, set)
      if (set === undefined) root.splice(step, 1)
      else root[step] = set
      return true
    }
    if (rest.length > 0) return Object.hasOwn(root, step) && apply(Reflect.get(root, step), rest, set)
    if (set === undefined) Reflect.deleteProperty(root, step)
    else Reflect.set(root, step, set)
    return true
  }
})
