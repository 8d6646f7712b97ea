import { describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { openJournal } from '../../store/read-journal.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import type { SessionTasks, Task } from '../model/task.ts'
import { clockSpec } from './alarm-store.ts'

const task = (more: Partial<Task> = {}): Task => ({
  taskId: 't1',
  sessionId: 's1',
  dueAtMs: 5,
  createdAtMs: 1,
  updatedAtMs: 1,
  task: 'look',
  setBy: 'model',
  deliveryCount: 0,
  ...more,
})
const state = (tasks: readonly Task[]): SessionTasks => ({ sessionId: 's1', tasks, updatedAtMs: 2 })

async function home(content: string | null = null) {
  const files = memoryFiles()
  if (content !== null) await files.writeAtomic('/r/clock/s1.json', content)
  const clock = virtualClock()
  const problems: string[] = []
  const opened = async () => {
    const journal = await openJournal({ root: '/r', files, clock, onProblem: () => undefined })
    const store = createStore({
      root: '/r',
      files,
      clock,
      log: silentLog,
      journal,
      onProblem: ({ code }) => problems.push(code),
    })
    return { store, document: await store.document(clockSpec('s1')) }
  }
  const names = () => files.list('/r/clock')
  const text = async (name = 's1.json') => String(await files.read(`/r/clock/${name}`))
  return { files, opened, problems, names, text }
}

describe('the file of a session’s alarms', () => {
  it('is flat, with arguments as an object, and read as it was', async () => {
    const h = await home()
    const tasks = [
      task({ tool: 'bash', arguments: '{"cmd":"ls"}' }),
      task({ taskId: 't2', arguments: 'not JSON' }),
      task({ taskId: 't3' }),
    ]
    await (await h.opened()).document.set(state(tasks))
    expect(JSON.parse(await h.text())).toEqual({
      version: 1,
      journal: expect.any(Number) as number,
      sessionId: 's1',
      tasks: [{ ...tasks[0], arguments: { cmd: 'ls' } }, tasks[1], tasks[2]],
      updatedAtMs: 2,
    })
    expect((await h.opened()).document.get()).toEqual(state(tasks))
  })

  it.each([
    ['as Onward wrote it before', { version: 1, journal: 7, state: state([task({ arguments: '{"cmd":"ls"}' })]) }],
    ['flat', { version: 1, ...state([{ ...task(), arguments: { cmd: 'ls' } } as never]) }],
    [
      'flat, of another program that knows nobody who set them',
      { version: 1, ...state([{ ...task(), setBy: undefined, arguments: { cmd: 'ls' } } as never]) },
    ],
  ])('is read, and written flat: %s', async (_, file) => {
    const h = await home(JSON.stringify(file))
    const { document } = await h.opened()
    expect(document.get()).toEqual(state([task({ arguments: '{"cmd":"ls"}' })]))
    await document.set(state([task({ arguments: '{"cmd":"ls"}', task: 'else' })]))
    expect(JSON.parse(await h.text())).toMatchObject({
      sessionId: 's1',
      tasks: [{ task: 'else', arguments: { cmd: 'ls' } }],
    })
    expect(h.problems).toEqual([])
  })

  it.each([
    '{"version":1}',
    '{"version":1,"tasks":[]}',
    '{"version":1,"sessionId":"s1","tasks":[{"id":1}],"updatedAtMs":1}',
    '[]',
    'x',
  ])('that is not understood is set aside whole, and not written over: %s', async (content) => {
    const h = await home(content)
    const { document } = await h.opened()
    expect([document.get(), h.problems]).toEqual([null, ['store-corrupt']])
    await document.set(state([task()]))
    const aside = (await h.names()).filter((name) => name !== 's1.json')
    expect(aside).toHaveLength(1)
    expect(await h.text(aside[0])).toBe(content)
  })

  it('of a newer version stays where it is', async () => {
    const content = JSON.stringify({ version: 2, sessionId: 's1', alarms: {} })
    const h = await home(content)
    await expect(h.opened()).rejects.toMatchObject({ code: 'store-newer' })
    expect(await h.text()).toBe(content)
  })

  it.each([true, false])(
    'that is long has its changes in the journal, and is whole after a crash (flat before: %s)',
    async (flat) => {
      const many = Array.from({ length: 400 }, (_, i) =>
        task({ taskId: `t${i}`, task: 'look at it '.repeat(20), arguments: '{"cmd":"ls"}' }),
      )
      const before = flat ? { version: 1, ...state(many) } : { version: 1, state: state(many) }
      const h = await home(JSON.stringify(before))
      const { document } = await h.opened()
      const next = state([...many.slice(1), task({ taskId: 'new', arguments: '{"cmd":"pwd"}' })])
      const whole = await h.text()
      await document.set(next)
      expect(await h.text()).toBe(whole)
      expect((await h.opened()).document.get()).toEqual(next)
    },
  )
})
