import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { App } from 'electron'
import { listenForOpens, startsHidden } from './opens.ts'
import type { Place } from './place.ts'

function opens(argv: readonly string[] = ['onward']) {
  const app = new EventEmitter()
  // Electron's overloads of `on` can't be spelled by an emitter
  const listening = listenForOpens(app as unknown as Pick<App, 'on'>, argv)
  const opened: (Place | null)[] = []
  return {
    opened,
    second: (...args: string[]) => app.emit('second-instance', {}, ['onward', ...args], '/'),
    url: (url: string) => app.emit('open-url', { preventDefault() {} }, url),
    dock: () => app.emit('activate', {}),
    ready: (hidden = false) => listening.deliverTo((place) => opened.push(place), hidden),
  }
}

describe('what opens the window', () => {
  it('is the first start, where its deep link says', () => {
    const { ready, opened } = opens(['onward', 'onward://session/a'])
    ready()
    expect(opened).toEqual([{ kind: 'session', id: 'a' }])
  })

  it('is not a hidden start', () => {
    const { ready, opened } = opens(['onward', '--hidden'])
    ready()
    expect(opened).toEqual([])
    expect(startsHidden(['--hidden'])).toBe(true)
  })

  it('is not a start by the system at login, which says so only later; a link that came with it is', () => {
    const atLogin = opens(['onward'])
    atLogin.ready(true)
    expect(atLogin.opened).toEqual([])
    atLogin.dock()
    expect(atLogin.opened).toEqual([null])
    const asked = opens(['onward'])
    asked.dock()
    asked.ready(true)
    expect(asked.opened).toEqual([null])
  })

  it('is a second start, a link of the system, the dock', () => {
    const { ready, opened, second, url, dock } = opens(['onward', '--hidden'])
    ready()
    second()
    second('onward://settings')
    second('--hidden')
    url('onward://session/b')
    url('onward://pause/b')
    dock()
    expect(opened).toEqual([null, { kind: 'settings' }, { kind: 'session', id: 'b' }, null])
  })

  it('is what came before the engine was ready, once, the last place of it', () => {
    const { ready, opened, second, url, dock } = opens(['onward', '--hidden'])
    url('onward://session/early')
    second('onward://session/later')
    dock()
    ready()
    ready()
    expect(opened).toEqual([{ kind: 'session', id: 'later' }])
  })
})
