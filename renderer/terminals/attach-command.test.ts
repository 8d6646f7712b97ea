import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../shared/testing/unless.ts'
import { attachCommand } from './attach-command.ts'

describe('the command that attaches to a pane', () => {
  it('names the server and the pane', () => {
    expect(attachCommand({ socket: '/tmp/tmux-1000/default', paneId: '%12' }, null)).toBe(
      'tmux -S /tmp/tmux-1000/default attach-session -t %12',
    )
  })
  it('goes to the machine that it is on', () => {
    expect(attachCommand({ socket: '/tmp/t', paneId: '%1' }, 'ada@box')).toBe(
      "ssh -t ada@box 'tmux -S /tmp/t attach-session -t %1'",
    )
  })
  it('is one word for a shell whatever the socket is called', unless(onWindows), () => {
    const socket = "/tmp/it's $(here) `and`; there"
    const command = attachCommand({ socket, paneId: '%1' }, null).replace(/^tmux/, String.raw`printf '%s\n'`)
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n').slice(0, 2)).toEqual(['-S', socket])
  })
})
