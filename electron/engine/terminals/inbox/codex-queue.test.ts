import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'
import { systemClock } from '../../base/clock.ts'
import { openCodexQueue, type AgentInbox } from './codex-queue.ts'

/** A program that answers as Codex 0.171.0 does, one queue for all conversations but `gone`. */
const program = `#!${process.execPath}
const queue = []
const answer = (id, result) => console.log(JSON.stringify({ id, result }))
let rest = ''
process.stdin.on('data', (bytes) => {
  const lines = (rest + bytes).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') {
      console.log('not JSON')
      console.log(JSON.stringify({ method: 'configWarning', params: {} }))
      answer(id, { userAgent: process.env.AGENT })
    } else if (params?.threadId === 'gone') console.log(JSON.stringify({ id, error: { message: 'no rollout found' } }))
    else if (params?.threadId === 'dies') process.exit(3)
    else if (method === 'thread/queue/add') {
      queue.push({ id: 'q' + queue.length, clientUserMessageId: params.clientUserMessageId })
      answer(id, { queuedSubmission: queue.at(-1) })
    } else if (method === 'thread/goal/set') answer(id, { goal: { status: params.status } })
    else if (method === 'thread/queue/list') {
      const at = Number(params.cursor ?? 0)
      answer(id, { data: queue.slice(at, at + 1), nextCursor: at + 1 < queue.length ? String(at + 1) : null })
    } else if (method === 'thread/queue/delete') {
      const at = queue.findIndex((one) => one.id === params.queuedSubmissionId)
      answer(id, { deleted: queue.splice(at, 1).length === 1 })
    }
  }
})
`

describe('Codex’s queue', unless(onWindows), () => {
  let folder: string
  let inbox: AgentInbox
  const open = (agent: string) => openCodexQueue({ file: join(folder, 'codex'), env: { AGENT: agent } }, systemClock())

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onward-queue-'))
    writeFileSync(join(folder, 'codex'), program)
    chmodSync(join(folder, 'codex'), 0o700)
    inbox = await open('onward/0.171.0 (Debian 12; x86_64)')
  })
  afterEach(() => {
    inbox.dispose()
    rmSync(folder, { recursive: true })
  })

  it('tells the version of its program', async () => {
    expect(inbox.version).toBe('0.171.0')
    const other = await open('something else')
    expect(other.version).toBeNull()
    other.dispose()
  })

  it('gives back what was put there, by the entry’s id and on whichever page, once', async () => {
    await inbox.put('thread', 'e1', 'first')
    await inbox.put('thread', 'e2', 'second')
    expect(await inbox.takeOut('thread', 'e2')).toBe(true)
    expect(await inbox.takeOut('thread', 'e2')).toBe(false)
    expect(await inbox.takeOut('thread', 'e1')).toBe(true)
  })

  it('pauses its goal', async () => {
    expect(await inbox.pauseGoal('thread')).toBe(true)
    await expect(inbox.pauseGoal('gone')).rejects.toMatchObject({ refused: true })
  })

  it('says whether a request that failed was refused, or may have been carried out', async () => {
    await expect(inbox.put('gone', 'e1', 'text')).rejects.toMatchObject({ refused: true, message: 'no rollout found' })
    await expect(inbox.put('dies', 'e1', 'text')).rejects.toMatchObject({ refused: false })
    expect(inbox.ended()).toBe(true)
    await expect(inbox.put('thread', 'e1', 'text')).rejects.toMatchObject({ refused: true })
  })

  it('does not open without its program', async () => {
    rmSync(join(folder, 'codex'))
    await expect(open('x')).rejects.toThrow('ENOENT')
  })
})
