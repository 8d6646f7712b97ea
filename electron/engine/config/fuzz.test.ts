import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { configSchema, type Config } from '../../../shared/config/schema.ts'
import { silentLog } from '../base/log.ts'
import { OnwardError } from '../base/errors.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { checkConfig } from './check.ts'
import { defaultConfig, openConfig } from './open.ts'
import { memoryConfigFiles } from './testing/memory-files.ts'
import type { ConfigEdit } from './types.ts'
import { allRuns } from '../../../shared/testing/runs.ts'

const home = '/home-of-onward'
const file = `${home}/config.json`

const start = `// where agents go
{
  "$schema": "./config.schema.json",
  "server": { "port": 5520, "keys": ["a", /* two */ "b"] },
  "providers": {
    "glm": { "type": "openai-chat", "baseUrl": "http://127.0.0.1:9001/v1",
             "keys": [{ "alias": "main", "value": "sk-1" }],
             "models": { "glm-5": { "contextWindow": 200000 } } },
    "anth": { "type": "anthropic", "baseUrl": "http://127.0.0.1:9002", "auth": "client" }, // mine
  },
  "routes": { "default": ["glm.glm-5", { "target": "anth.claude-x", "weight": 3 }], "vision": ["anth.claude-x"] },
  "aliases": { "sonnet": "glm.glm-5", "模型": "glm.glm-5" },
  "routing": { "failures": 3 },
}
`
const scraps = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '//',
  '/*',
  '*/',
  '\n',
  '\r',
  '\uFEFF',
  '\u0000',
  '\u2028',
  '\ud800',
  '👩‍💻',
  '\\u12',
  '\\',
  'null',
  'true',
  '-1',
  '1e999',
  '"port"',
  '"__proto__": {},',
  '"providers": {},',
  '${HOME}',
  '$${A}',
  '${',
  '"x": "${NOT_SET}",',
  '[[[[[[[[',
  '{"a":'.repeat(500),
  '['.repeat(5000),
]

/** Damages a text as a slip of the hand, a broken editor or a full disk would. */
type Mutation = (text: string) => string
const at = fc.double({ min: 0, max: 1, noNaN: true })
const put = (text: string, where: number, cut: number, scrap: string) => {
  const i = Math.floor(where * text.length)
  return text.slice(0, i) + scrap + text.slice(i + cut)
}
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(at, fc.nat(12), fc.constantFrom(...scraps)).map(
    ([where, cut, scrap]): Mutation =>
      (text) =>
        put(text, where, cut, scrap),
  ),
  fc.tuple(at, fc.nat(40)).map(
    ([where, cut]): Mutation =>
      (text) =>
        put(text, where, cut, ''),
  ),
  fc.tuple(at, fc.string({ unit: 'binary', maxLength: 8 })).map(
    ([where, scrap]): Mutation =>
      (text) =>
        put(text, where, 0, scrap),
  ),
  at.map(
    (where): Mutation =>
      (text) =>
        text.slice(0, Math.floor(where * text.length)),
  ),
  // a value of another type
  fc
    .tuple(at, fc.constantFrom('"x"', '0', '-1', '1.5', 'null', '[]', '{}', 'true', '[{"target":"glm.x","weight":2}]'))
    .map(([where, value]): Mutation => (text) => {
      const values = [...text.matchAll(/: ("[^"\n]*"|[\d.]+|\{\s*\}|\[[^\]\n]*\])/g)]
      const found = values[Math.min(values.length - 1, Math.floor(where * values.length))]
      return found ? text.slice(0, found.index) + `: ${value}` + text.slice(found.index + found[0].length) : text
    }),
  { weight: 4, arbitrary: fc.constant<Mutation>(() => start) },
  fc.constant<Mutation>(() => '{}'),
  fc.constant<Mutation>(() => ''),
)
const edit: fc.Arbitrary<ConfigEdit> = fc.record({
  path: fc.oneof(
    fc.constantFrom<(string | number)[]>(
      ['server', 'port'],
      ['providers', 'glm'],
      ['providers', 'new'],
      ['routes', 'default'],
      ['routes', 'default', 0],
      ['routes', 'vision'],
      ['aliases', 'sonnet'],
      ['routing', 'failures'],
      ['language'],
    ),
    fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.nat(3), fc.constantFrom('server', 'providers', '__proto__')), {
      minLength: 1,
      maxLength: 4,
    }),
  ),
  value: fc.oneof(
    fc.constantFrom<unknown>(
      undefined,
      1,
      5520,
      'en',
      { type: 'simulator' },
      ['glm.glm-5'],
      [{ target: 'glm.${x}', weight: 1 }],
    ),
    fc.jsonValue({ maxDepth: 3 }),
  ),
})
const good: readonly ConfigEdit[] = [
  { path: ['server', 'port'], value: 1 },
  { path: ['providers', 'new'], value: { type: 'simulator', models: { '${x}': {} } } },
  { path: ['routes', 'vision'], value: undefined },
  { path: ['routes', 'default'], value: ['glm.a', 'glm.b'] },
  { path: ['routes', 'default', 0], value: undefined },
  { path: ['aliases', '模型'], value: 'glm.👩‍💻' },
  { path: ['language'], value: 'en' },
]
type Step =
  | { kind: 'write'; mutate: Mutation }
  | { kind: 'delete' }
  | { kind: 'edit'; edits: ConfigEdit[] }
  | { kind: 'undo' }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      mutate: mutation,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'delete' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      edits: fc.oneof(
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.array(fc.constantFrom(...good), { minLength: 1, maxLength: 3 }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const }) },
)

describe('whatever is written into the config file, by hand or from here', () => {
  it('the last valid text runs, and of a wrong one it says the line and the reason', async () => {
    const seen = { valid: 0, wrong: 0, edited: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const files = memoryConfigFiles()
        const bytes = () => files.read(file)
        files.put(file, start)
        const config = await openConfig({
          home,
          files,
          env: { HOME: 'h' },
          clock: virtualClock(),
          log: silentLog,
        })
        let expected: Config = configSchema.parse(parse(start, [], { allowTrailingComma: true }))
        let text: string | null = start
        expect(config.current()).toEqual(expected)
        for (const one of steps) {
          const before = await bytes()
          if (one.kind === 'write') {
            text = one.mutate(text ?? start)
            files.put(file, text)
            await config.reload()
          } else if (one.kind === 'delete') {
            await files.remove(file)
            await config.reload()
          } else {
            const error: unknown = await (one.kind === 'edit' ? config.edit(one.edits) : config.undo()).then(
              () => null,
              (reason: unknown) => reason,
            )
            if (error !== null) {
              expect(OnwardError.isInstance(error) && error.code).toMatch(
                /^(config-invalid|bad-edit|nothing-to-undo|config-changed)$/,
              )
              expect(await bytes()).toEqual(before)
              seen.refused++
            } else {
              expect(config.problem()).toBeNull()
              seen.edited++
            }
          }
          const now = await bytes()
          text = now === null ? null : now.toString('utf8')
          const checked = text === null ? { config: defaultConfig(), problems: [] } : checkConfig(text, { HOME: 'h' })
          if (checked.config) {
            expected = checked.config
            // what the schema makes of the same text read by another way
            if (text !== null && !text.includes('${'))
              expect(expected).toEqual(
                configSchema.parse(parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })),
              )
            expect(config.problem()).toBeNull()
            seen.valid++
          } else {
            const [first] = checked.problems
            expect(config.problem()).toContain(`config.json, line ${first?.line}, column ${first?.column}`)
            expect(config.problem()).toContain(first?.message ?? 'a reason')
            expect(first?.line).toBeLessThanOrEqual((text ?? '').split('\n').length)
            seen.wrong++
          }
          expect(config.current()).toEqual(expected)
        }
        config.dispose()
      }),
      allRuns(120),
    )
    // a run that only ever saw one side would show nothing
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(15)
  }, 60_000)
})
