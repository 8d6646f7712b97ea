import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { pathOf, placeOf, readFragment, tabs } from '../../../renderer/state/place.ts'
import { placeOfDeepLink } from './opens.ts'
import { linkTo, sessionAt } from './place.ts'
import { runs } from '../../../shared/testing/runs.ts'

const dashboard = 'http://127.0.0.1:5520/dashboard/#token=T0k-en_1'
const ids = fc.string({ minLength: 1, unit: 'grapheme' })

describe('a link into the dashboard', () => {
  it('is read by the page as it was meant, whatever a session is called', () => {
    fc.assert(
      fc.property(ids, (id) => {
        const fragment = readFragment(new URL(linkTo(dashboard, { kind: 'session', id })).hash)
        expect(fragment.token).toBe('T0k-en_1')
        expect(placeOf(fragment.path)).toEqual({
          view: 'sessions',
          selection: { kind: 'session', id, tab: 'timeline' },
        })
      }),
      runs(100),
    )
  })

  it.each([
    ['sessions', { view: 'sessions', selection: null }, false],
    ['alarms', { view: 'alarms' }, false],
    ['settings', { view: 'settings' }, false],
    ['providers', { view: 'providers' }, false],
    ['new-terminal', { view: 'sessions', selection: null }, true],
  ] as const)('leads to %s', (kind, place, newTerminal) => {
    const fragment = readFragment(new URL(linkTo(dashboard, { kind })).hash)
    expect(placeOf(fragment.path)).toEqual(place)
    expect(fragment.newTerminal).toBe(newTerminal)
  })

  it('never throws, even for an id that is no text', () => {
    expect(sessionAt(linkTo(dashboard, { kind: 'session', id: 'a\uD800b' }))).toBe('a\uFFFDb')
  })
})

describe('the session an address shows', () => {
  it('is the one the page wrote there, on every tab', () => {
    fc.assert(
      fc.property(ids, fc.constantFrom(...tabs), (id, tab) => {
        expect(
          sessionAt(
            `http://127.0.0.1:5520/dashboard/#${pathOf({ view: 'sessions', selection: { kind: 'session', id, tab } })}`,
          ),
        ).toBe(id)
      }),
      runs(100),
    )
  })

  it('is known before the page has read its link', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(sessionAt(linkTo(dashboard, { kind: 'session', id }))).toBe(id)
      }),
      runs(100),
    )
  })

  it.each([
    [''],
    ['about:blank'],
    ['http://127.0.0.1:5520/dashboard/'],
    ['http://127.0.0.1:5520/dashboard/#/sessions'],
    ['http://127.0.0.1:5520/dashboard/#/terminal/t1'],
    ['http://127.0.0.1:5520/dashboard/#/session/'],
    ['http://127.0.0.1:5520/session/abc'],
    [dashboard],
  ])('is none at “%s”', (url) => {
    expect(sessionAt(url)).toBeNull()
  })
})

describe('deep links', () => {
  it.each([
    [['onward://session/abc'], { kind: 'session', id: 'abc' }],
    [['--flag', '/opt/onward/main.js', 'onward://session/ses_1/'], { kind: 'session', id: 'ses_1' }],
    [['onward://session/a%20b%2Fc'], { kind: 'session', id: 'a b/c' }],
    [['onward://session/100%'], { kind: 'session', id: '100%' }],
    [['ONWARD://sessions'], { kind: 'sessions' }],
    [['onward://alarms'], { kind: 'alarms' }],
    [['onward://settings/'], { kind: 'settings' }],
  ])('%j opens', (argv, place) => {
    expect(placeOfDeepLink(argv)).toEqual(place)
  })

  it.each([
    [[]],
    [['--hidden']],
    [['onward:session/abc']],
    [['onward://']],
    [['onward://session']],
    [['onward://session/']],
    [['onward://session/a/b']],
    [['onward://session/a?token=x']],
    [['onward://session/a#b']],
    [['onward://pause/abc']],
    [['onward://settings/abc']],
    [['onward://alarms/abc']],
    [['onward://evil.example/session/abc']],
    [['http://onward://session/abc']],
    [[`onward://session/${'a'.repeat(1025)}`]],
  ])('%j is ignored', (argv) => {
    expect(placeOfDeepLink(argv)).toBeNull()
  })

  it('only ever navigate, whatever they say', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.string().map((s) => `onward://${s}`),
          ),
        ),
        (argv) => {
          const place = placeOfDeepLink(argv)
          expect(place === null || ['sessions', 'alarms', 'settings', 'session'].includes(place.kind)).toBe(true)
        },
      ),
      runs(100),
    )
  })
})
