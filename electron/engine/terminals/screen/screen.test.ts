import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { viewOfCaptured } from './captured.ts'
import { parseStatus } from './program-status.ts'
import { createScreen, type Screen } from './screen.ts'
import { linesOf, textOf } from './view.ts'

const screens: Screen[] = []
afterEach(() => {
  for (const one of screens.splice(0)) one.dispose()
})

function setUp(answerQueries = false) {
  const replies: string[] = []
  const clock = virtualClock()
  const screen = createScreen({
    cols: 20,
    rows: 5,
    scrollback: 50,
    clock,
    log: silentLog,
    reply: (data) => {
      replies.push(data)
    },
    answerQueries,
  })
  screens.push(screen)
  const show = async (...parts: (string | Uint8Array)[]) => {
    for (const part of parts) screen.feed(Buffer.from(part))
    await screen.settled()
    return screen.view()
  }
  return { screen, replies, clock, show }
}

describe('a screen kept from raw bytes', () => {
  it('has text, attributes, cursor and title', async () => {
    const view = await setUp().show(
      '\u001b]0;A task\u0007\u001b[1m›\u001b[0m \u001b[2mghost\u001b[0m \u001b[38;5;103mp\u001b[38;2;1;2;3mr\u001b[0m',
    )
    expect(linesOf(view)[0]).toBe('› ghost pr')
    expect(view.rows[0]?.[0]).toMatchObject({ char: '›', bold: true, dim: false })
    expect(view.rows[0]?.[2]).toMatchObject({ char: 'g', dim: true })
    expect(view.rows[0]?.[8]?.color).toEqual({ palette: 103 })
    expect(view.rows[0]?.[9]?.color).toEqual({ rgb: 0x010203 })
    expect(view.cursor).toEqual({ x: 10, y: 0 })
    expect(view.title).toBe('A task')
  })

  it('takes characters divided over reads, and wide ones in two columns', async () => {
    const bytes = Buffer.from('继续x')
    const view = await setUp().show(bytes.subarray(0, 2), bytes.subarray(2))
    expect(textOf(view.rows[0])).toBe('继续x')
    expect(view.rows[0]?.[1]?.char).toBe('')
    expect(view.cursor.x).toBe(5)
  })

  it('keeps the modes that matter for typing', async () => {
    const { show } = setUp()
    expect(await show('')).toMatchObject({ bracketedPaste: false, cursorVisible: true })
    expect(await show('\u001b[?2004h\u001b[?25l')).toMatchObject({ bracketedPaste: true, cursorVisible: false })
    expect(await show('\u001b[?2004l\u001b[?12;25h')).toMatchObject({ bracketedPaste: false, cursorVisible: true })
  })

  it('tells of changes, several at once, and is drawn anew from its snapshot', async () => {
    const { screen, clock, show } = setUp()
    let changes = 0
    screen.onChange(() => {
      changes++
    })
    await show('one\r\n', 'two\r\n', '\u001b[31mthree')
    await clock.advance(1_000)
    expect(changes).toBe(1)
    const again = setUp()
    expect(linesOf(await again.show(screen.snapshot()))).toEqual(linesOf(screen.view()))
  })
})

describe('OSC 7501', () => {
  it('is answered when asked, and its reports are kept', async () => {
    const { replies, show } = setUp()
    expect(await show('\u001b]7501;?\u0007')).toMatchObject({ programStatus: null, statusSerial: 0 })
    expect(replies).toEqual(['\u001b]7501;?\u001b\\'])
    expect(await show('\u001b]7501;state=blocked:kind=permission:app=claude-code:msg=aGk=\u001b\\')).toMatchObject({
      programStatus: { state: 'blocked', kind: 'permission', app: 'claude-code' },
      statusSerial: 1,
    })
    expect(await show('\u001b]7501;state=idle:app=claude-code\u0007')).toMatchObject({
      programStatus: { state: 'idle', kind: null },
      statusSerial: 2,
    })
    expect(await show('\u001b]7501;state=clear\u001b\\')).toMatchObject({ programStatus: null, statusSerial: 3 })
  })

  it.each([
    ['?', { type: 'query' }],
    ['state=working', { type: 'report', status: { state: 'working', kind: null, app: null } }],
    ['app=x:state=done', { type: 'report', status: { state: 'done', kind: null, app: 'x' } }],
    ['state=clear', { type: 'report', status: null }],
    ['state=dancing', { type: 'other' }],
    ['', { type: 'other' }],
    [':=:', { type: 'other' }],
  ])('%j', (payload, message) => {
    expect(parseStatus(payload)).toEqual(message)
  })
})

describe('queries of the program', () => {
  it('are answered where no other terminal stands behind', async () => {
    const { replies, show } = setUp(true)
    await show('\u001b[6n\u001b[c')
    expect(replies).toEqual(['\u001b[1;1R', '\u001b[?1;2c'])
  })

  it('are left to the person’s own terminal elsewhere', async () => {
    const { replies, show } = setUp(false)
    await show('\u001b[6n\u001b[c')
    expect(replies).toEqual([])
  })
})

it('a captured pane is read as the same screen', async () => {
  const view = await viewOfCaptured({
    text: '\u001b[1mone\n\u001b[0m\u001b[2mtwo\n\n',
    cols: 20,
    rows: 3,
    cursor: { x: 3, y: 1 },
    cursorVisible: false,
    title: '✳',
    bracketedPaste: null,
  })
  expect(linesOf(view)).toEqual(['one', 'two', ''])
  expect(view.rows[0]?.[0]?.bold).toBe(true)
  expect(view.rows[1]?.[0]).toMatchObject({ bold: false, dim: true })
  expect(view).toMatchObject({
    cursor: { x: 3, y: 1 },
    cursorVisible: false,
    title: '✳',
    programStatus: null,
    bracketedPaste: null,
  })
})
