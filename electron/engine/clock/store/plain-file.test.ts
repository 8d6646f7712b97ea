import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alarmRoutes } from '../../../../shared/alarms/alarms.ts'
import { fileShape } from './clock-file.ts'
import { plainFile } from './plain-file.ts'
import { allRuns, runs } from '../../../../shared/testing/runs.ts'

const time = fc.integer({ min: 0, max: 4_102_444_800_000 })
const name = fc.string({ minLength: 1, maxLength: 6 })
const claim = { route: fc.constantFrom(...alarmRoutes), by: name, at: time }
const task = {
  taskId: name,
  sessionId: name,
  dueAtMs: time,
  createdAtMs: time,
  updatedAtMs: time,
  task: fc.string(),
  setBy: fc.constantFrom('model', 'user'),
  deliveryCount: fc.nat(3),
  tool: name,
  arguments: fc.string(),
  rangAtMs: time,
  deliveredAtMs: time,
  notBeforeRequestId: name,
  claim: fc.record(claim),
}
const needed = [
  'taskId',
  'sessionId',
  'dueAtMs',
  'createdAtMs',
  'updatedAtMs',
  'task',
  'setBy',
  'deliveryCount',
] as const
const written = fc.record(
  {
    sessionId: name,
    scope: fc.constantFrom('tmux:a', 'pty:b'),
    tasks: fc.array(fc.record(task, { requiredKeys: [...needed] }), { maxLength: 3 }),
    updatedAtMs: time,
  },
  { requiredKeys: ['sessionId', 'tasks', 'updatedAtMs'] },
)

/** what stands in a file where something else should */
const odd = fc.constantFrom<unknown>(
  '',
  'x',
  null,
  true,
  -1,
  0.5,
  2 ** 53,
  Infinity,
  [],
  [{}],
  {},
  { route: 'pigeon', by: '', at: 1 },
)
/** The places in a value, as ways there. */
const placesIn = (value: unknown): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => [[key], ...placesIn(part).map((rest) => [key, ...rest])])
    : []
type Damage = { at: number } & ({ how: 'put'; value: unknown } | { how: 'drop' } | { how: 'add'; key: string })
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ at: fc.nat(), how: fc.constant('put' as const), value: odd }),
  fc.record({ at: fc.nat(), how: fc.constant('drop' as const) }),
  fc.record({
    at: fc.nat(),
    how: fc.constant('add' as const),
    key: fc.constantFrom('more', '__proto__', 'claim', 'scope', 'toString'),
  }),
)
function damaged(file: unknown, { at, ...how }: Damage): unknown {
  const places = placesIn(file)
  const place = places[at % places.length] ?? []
  const transaction = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined || typeof value !== 'object' || value === null) return value
    if (rest.length > 0)
      return Array.isArray(value)
        ? value.map((part, i) => (String(i) === key ? transaction(part, rest) : part))
        : { ...value, [key]: transaction(Object.entries(value).find(([one]) => one === key)?.[1], rest) }
    const others = Object.entries(value).filter(([one]) => one !== key)
    const entries =
      how.how === 'drop'
        ? others
        : how.how === 'put'
          ? [...others, [key, how.value] as const]
          : [...Object.entries(value), [how.key, 1] as const]
    // JSON's `__proto__` is a member like any other, and Infinity is what a number too large becomes.
    return Array.isArray(value)
      ? entries.map(([, part]) => part)
      : Object.defineProperties(
          {},
          Object.fromEntries(
            entries.map(([one, part]) => [one, { value: part, enumerable: true, writable: true, configurable: true }]),
          ),
        )
  }
  return transaction(file, place)
}

describe('a file of alarms seen at a glance', () => {
  it('is what Onward writes', () => {
    fc.assert(
      fc.property(written, (file) => {
        const read: unknown = JSON.parse(JSON.stringify(file))
        const expected = fileShape.parse(structuredClone(read))
        expect(plainFile(read)).toStrictEqual(expected)
      }),
      runs(100),
    )
  })

  it('is never read otherwise than its schema reads it', () => {
    let [passed, refused] = [0, 0]
    fc.assert(
      fc.property(written, fc.array(damage, { minLength: 1, maxLength: 2 }), (file, blows) => {
        const read = blows.reduce<unknown>(damaged, JSON.parse(JSON.stringify(file)))
        const expected = fileShape.safeParse(structuredClone(read))
        const seen = plainFile(read)
        if (seen === null) {
          refused += 1
          return
        }
        passed += 1
        expect(expected.success).toBe(true)
        expect(seen).toStrictEqual(expected.data)
      }),
      allRuns(1_000),
    )
    expect(Math.min(passed, refused)).toBeGreaterThan(20)
  })

  it.each([null, 7, 'x', [], {}])('leaves %j to the schema', (value) => expect(plainFile(value)).toBeNull())
})
