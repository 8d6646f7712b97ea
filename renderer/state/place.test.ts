import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { pathOf, placeOf, readFragment, tabs, type Place, isOfAll, machineOf } from './place.ts'
import { runs } from '../../shared/testing/runs.ts'

const places: fc.Arbitrary<Place> = fc.oneof(
  fc.constantFrom<Place>(
    { view: 'sessions', selection: null },
    { view: 'alarms' },
    { view: 'activity' },
    { view: 'providers' },
    { view: 'settings' },
    { view: 'settings', page: 'config' },
    { view: 'settings', page: 'config', line: 40 },
    { view: 'settings', page: 'logs' },
  ),
  fc
    .record({ id: fc.string({ minLength: 1, unit: 'grapheme' }), tab: fc.constantFrom(...tabs) })
    .map(({ id, tab }): Place => ({ view: 'sessions', selection: { kind: 'session', id, tab } })),
  fc.string({ minLength: 1 }).map((id): Place => ({ view: 'sessions', selection: { kind: 'terminal', id } })),
)

describe('place', () => {
  it('survives the address, whatever a session is called', () => {
    fc.assert(
      fc.property(places, (place) => {
        expect(placeOf(pathOf(place))).toEqual(place)
      }),
      runs(100),
    )
  })

  it.each<[string, Place, string | undefined]>([
    [
      '/on/dev.box/session/a%2Fb/queue',
      { view: 'sessions', selection: { kind: 'session', id: 'a/b', tab: 'queue', machine: 'dev.box' } },
      'dev.box',
    ],
    ['/on/box/terminal/t', { view: 'sessions', selection: { kind: 'terminal', id: 't', machine: 'box' } }, 'box'],
    ['/on/box/alarms', { view: 'alarms', machine: 'box' }, 'box'],
    ['/activity', { view: 'activity' }, undefined],
    ['/on/local/alarms', { view: 'alarms', machine: 'local' }, undefined],
  ])('%s is of a machine', (path, place, machine) => {
    expect(placeOf(path)).toEqual(place)
    expect(pathOf(place)).toBe(path)
    expect(machineOf(place)).toBe(machine)
  })

  it.each(['/on/box/settings', '/on/box', '/on/box/on/gpu/settings'])('%s has no machine of its own', (path) => {
    expect(machineOf(placeOf(path))).toBeUndefined()
  })

  it('is of all machines, of this one alone or of another', () => {
    expect(
      ['/alarms', '/on/local/alarms', '/on/box/alarms', '/sessions'].map((path) => isOfAll(placeOf(path))),
    ).toEqual([true, false, false, false])
    expect(pathOf(placeOf('/on/local/session/a'))).toBe('/session/a')
  })

  it('leads home from anything unknown and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        placeOf(text)
      }),
      runs(100),
    )
    expect(placeOf('/nowhere/else')).toEqual({ view: 'sessions', selection: null })
    expect(placeOf('/session/a/nonsense')).toEqual({
      view: 'sessions',
      selection: { kind: 'session', id: 'a', tab: 'timeline' },
    })
  })
})

describe('fragment', () => {
  it.each([
    ['', { token: null, pair: null, path: '', newTerminal: false }],
    ['#/session/abc', { token: null, pair: null, path: '/session/abc', newTerminal: false }],
    ['#token=T0k-en', { token: 'T0k-en', pair: null, path: '/', newTerminal: false }],
    ['#token=T0k-en&place=session%2Fabc', { token: 'T0k-en', pair: null, path: '/session/abc', newTerminal: false }],
    ['#token=T0k-en&place=new-terminal', { token: 'T0k-en', pair: null, path: '/new-terminal', newTerminal: true }],
    ['#pair=id.key', { token: null, pair: 'id.key', path: '/', newTerminal: false }],
    ['#/new-terminal', { token: null, pair: null, path: '/new-terminal', newTerminal: true }],
  ])('%s', (hash, fragment) => expect(readFragment(hash)).toEqual(fragment))
})
