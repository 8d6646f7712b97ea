import { describe, expect, it } from 'vitest'
import { createToasts, type Toast } from './toasts.ts'

function scene() {
  const shown: { toast: Toast; gone: () => void; closed: boolean }[] = []
  const undone: string[] = []
  const toasts = createToasts((toast, gone) => {
    const entry = { toast, gone, closed: false }
    shown.push(entry)
    return () => {
      entry.closed = true
      gone()
    }
  })
  return {
    toasts,
    shown,
    undone,
    undoable: (text: string) =>
      toasts.undoable(text, async () => {
        undone.push(text)
      }),
  }
}

describe('toasts', () => {
  it('take back the newest first, each once', () => {
    const s = scene()
    s.undoable('a')
    s.undoable('b')
    s.toasts.info('c')
    s.toasts.undoLast()
    s.toasts.undoLast()
    s.toasts.undoLast()
    expect(s.undone).toEqual(['b', 'a'])
    expect(s.shown.map((e) => e.closed)).toEqual([true, true, false])
  })

  it('undo by button and by key is one undo', async () => {
    const s = scene()
    s.undoable('a')
    const undo = s.shown[0]?.toast.undo
    await undo?.()
    await undo?.()
    s.toasts.undoLast()
    expect(s.undone).toEqual(['a'])
  })

  it('put a later notice in the place of the one before, and close when something is done', () => {
    const s = scene()
    const done: string[] = []
    const notice = (title: string) => ({
      tone: 'alarm' as const,
      title,
      text: '',
      actions: [
        {
          text: 'Open',
          run: () => {
            done.push(title)
          },
        },
      ],
    })
    s.toasts.notice('a', notice('first'))
    s.toasts.notice('b', notice('other'))
    s.toasts.notice('a', notice('second'))
    expect(s.shown.map((e) => [e.toast.title, e.closed])).toEqual([
      ['first', true],
      ['other', false],
      ['second', false],
    ])
    s.shown[2]?.toast.actions[0]?.run()
    expect([s.shown[2]?.closed, done]).toEqual([true, ['second']])
    s.toasts.notice('a', notice('third'))
    expect(s.shown[3]?.closed).toBe(false)
  })

  it('forget what left the screen', () => {
    const s = scene()
    s.undoable('a')
    s.shown[0]?.gone()
    s.toasts.undoLast()
    expect(s.undone).toEqual([])
  })
})
